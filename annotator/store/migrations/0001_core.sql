-- Items, systems, runs (one system under one condition), predictions and the edits of their alignment.

CREATE TABLE project (                      -- revision, created_at, items_revision, alignment_version ...
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE import_log (                   -- one row per write that the user asked for, so that it can be undone
  import_key INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,                       -- items, predictions, attributes, reference, severities, ratings, recognise
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL DEFAULT '',
  options TEXT NOT NULL DEFAULT '{}',
  report TEXT NOT NULL DEFAULT '{}',
  at REAL NOT NULL,
  undone_at REAL
);

CREATE TABLE image_root (                   -- absolute, in the database only; never shown to a rater
  root_key INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
);

CREATE TABLE item (
  item_key INTEGER PRIMARY KEY,             -- the order of import
  id TEXT NOT NULL UNIQUE,
  gold TEXT,                                -- NULL: the item has no gold; '': the gold is empty
  standard TEXT NOT NULL DEFAULT '',
  image TEXT NOT NULL DEFAULT '',           -- relative to its root
  root_key INTEGER REFERENCES image_root(root_key),
  image_problem TEXT NOT NULL DEFAULT '',   -- why the image cannot be shown
  benchmark TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '',
  split TEXT NOT NULL DEFAULT '',
  document TEXT NOT NULL DEFAULT '',
  box_x REAL, box_y REAL, box_width REAL, box_height REAL,
  attributes TEXT NOT NULL DEFAULT '{}',    -- JSON object of text
  mark TEXT NOT NULL DEFAULT '' CHECK (mark IN ('', 'gold-wrong', 'unreadable')),
  import_key INTEGER REFERENCES import_log(import_key),
  changed_revision INTEGER NOT NULL
);
CREATE INDEX item_benchmark ON item(benchmark);
CREATE INDEX item_language ON item(language);

CREATE TABLE item_history (                 -- corrections and marks: the old value is kept, and can be put back
  history_key INTEGER PRIMARY KEY,
  item_key INTEGER NOT NULL REFERENCES item(item_key) ON DELETE CASCADE,
  field TEXT NOT NULL CHECK (field IN ('gold', 'standard', 'mark')),
  old TEXT,
  new TEXT,
  source TEXT NOT NULL,                     -- who or what changed it
  revision INTEGER NOT NULL,
  at REAL NOT NULL,
  undone_at REAL
);
CREATE INDEX item_history_item ON item_history(item_key);

CREATE TABLE item_note (
  item_key INTEGER PRIMARY KEY REFERENCES item(item_key) ON DELETE CASCADE,
  note TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]',
  at REAL NOT NULL
);

CREATE TABLE condition_image (              -- conditions/NAME/..., relative to the project folder
  item_key INTEGER NOT NULL REFERENCES item(item_key) ON DELETE CASCADE,
  condition TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (item_key, condition)
) WITHOUT ROWID;

CREATE TABLE system (
  system_key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL DEFAULT '',
  confidence_kind TEXT NOT NULL DEFAULT 'unknown',  -- softmax, engine-score, unknown
  details TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE run (                          -- a system under a condition
  run_key INTEGER PRIMARY KEY,
  system_key INTEGER NOT NULL REFERENCES system(system_key) ON DELETE CASCADE,
  condition TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT '',            -- '', realistic, oracle: what the user said of the condition
  changed_revision INTEGER NOT NULL,
  UNIQUE (system_key, condition)
);

CREATE TABLE prediction (
  prediction_key INTEGER PRIMARY KEY,
  run_key INTEGER NOT NULL REFERENCES run(run_key) ON DELETE CASCADE,
  item_key INTEGER NOT NULL REFERENCES item(item_key) ON DELETE CASCADE,
  predicted TEXT NOT NULL,                  -- '' is an answer; a missing prediction has no row
  raw TEXT,
  parser_version TEXT,
  confidence REAL,
  own_gold TEXT,                            -- NULL: the item's gold
  -- counts under profile raw, in graphemes, against the item's gold; NULL when the item has no gold
  matches INTEGER, substitutions INTEGER, deletions INTEGER, insertions INTEGER,
  gold_length INTEGER, predicted_length INTEGER,
  alignment_version TEXT NOT NULL,
  import_key INTEGER REFERENCES import_log(import_key),
  UNIQUE (run_key, item_key)
);
CREATE INDEX prediction_item ON prediction(item_key);

CREATE TABLE prediction_detail (            -- what is large and seldom read
  prediction_key INTEGER PRIMARY KEY REFERENCES prediction(prediction_key) ON DELETE CASCADE,
  char_confidence TEXT,                     -- JSON list of numbers and nulls, one per code point of predicted
  candidates TEXT,                          -- JSON list of [text, log_prob]
  reasoning TEXT,
  extra TEXT                                -- JSON object of text
);

CREATE TABLE edit (                         -- non-match edits of the raw alignment against the item's gold
  prediction_key INTEGER NOT NULL REFERENCES prediction(prediction_key) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,                 -- 0, 1, 2 ... from the start of the line
  op TEXT NOT NULL CHECK (op IN ('sub', 'del', 'ins')),
  gold_index INTEGER NOT NULL,
  predicted_index INTEGER NOT NULL,
  gold TEXT NOT NULL,                       -- '' for an insertion
  predicted TEXT NOT NULL,                  -- '' for a deletion
  PRIMARY KEY (prediction_key, ordinal)
) WITHOUT ROWID;

CREATE TABLE score_block (                  -- counts of a run under a profile, as arrays; rebuilt when the stamp differs
  run_key INTEGER NOT NULL REFERENCES run(run_key) ON DELETE CASCADE,
  profile TEXT NOT NULL,
  own_gold INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (run_key, profile, own_gold)
);

CREATE TABLE report_cache (                 -- finished reports, by what they were asked
  key TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  document TEXT NOT NULL,
  at REAL NOT NULL
) WITHOUT ROWID;
