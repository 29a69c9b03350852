-- What reviewers say of a gold that several systems contradict together.

CREATE TABLE suspect_review (
  item_key INTEGER NOT NULL REFERENCES item(item_key) ON DELETE CASCADE,
  reviewer TEXT NOT NULL,                   -- a pseudonym
  verdict TEXT NOT NULL CHECK (verdict IN ('gold-right', 'gold-wrong', 'both-acceptable', 'unreadable')),
  binding INTEGER NOT NULL,                 -- 1: it set (or took back) the mark of the item; 0: a proposal to the owner
  at REAL NOT NULL,
  PRIMARY KEY (item_key, reviewer)
) WITHOUT ROWID;
