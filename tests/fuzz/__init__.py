"""Fuzzing: whatever a file says, the verifier answers with a verdict, in bounded time and memory."""
