"""The reference recogniser: one small encoder, a CTC head and an autoregressive head over it. torch only when used."""
