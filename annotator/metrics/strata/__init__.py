"""The stratified diagnostic: reference corpora, two rarity axes, quintiles, the grid and its read-outs.

Source: StratiSTR, sections 3.2 and 4, appendices A, B, F and K.
"""
