"""How linear the feed-forward blocks of an existing language model are, measured on its own activations.

`model` loads a model and swaps its blocks, `text` cuts text into windows, `collect` streams the activations to disk, `gram`
accumulates sufficient statistics, `linearity` and `bilinear` ask what can be recovered from a block, `gate` and
`progressive` what it costs to replace it, `paired` gives the costs their intervals.
"""
