-- Items that a recogniser failed on, until it answers them: what a resumed run tries again.
CREATE TABLE recognise_failure (
  system TEXT NOT NULL,
  condition TEXT NOT NULL,
  item_key INTEGER NOT NULL REFERENCES item(item_key) ON DELETE CASCADE,
  message TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 1,
  at REAL NOT NULL,
  PRIMARY KEY (system, condition, item_key)
) WITHOUT ROWID;
