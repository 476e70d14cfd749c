"""The hunt for false theorems: every lower bound against targets whose width is known from above by their construction."""
