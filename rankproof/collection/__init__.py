"""A collection: a folder of certificates that grows, the plan of what goes into it, and the page that lists it.

``plan`` reads what is to be proved, ``build`` proves it and keeps the better of old and new, ``check`` runs the verifiers alone
over all files, ``page`` writes the table.
"""
