-- What an import replaced, so that it can be undone: the old rows as JSON.

CREATE TABLE import_before (
  import_key INTEGER NOT NULL REFERENCES import_log(import_key) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('item', 'prediction')),
  key INTEGER NOT NULL,                     -- item key, or prediction key that was
  row TEXT NOT NULL,                        -- JSON object of the row's columns (and details) as they were
  PRIMARY KEY (import_key, kind, key)
) WITHOUT ROWID;

CREATE INDEX prediction_import ON prediction(import_key);
CREATE INDEX item_import ON item(import_key);
