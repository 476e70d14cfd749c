"""Certificates and answers as people read them: text for a terminal, LaTeX for a paper, HTML for a notebook."""
