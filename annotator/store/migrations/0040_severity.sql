-- Severities of edits, from several providers, and what a reviewer marked done.

CREATE TABLE provider (
  provider_key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  version TEXT NOT NULL,                    -- of the rules, the prompt and model, the file
  details TEXT NOT NULL DEFAULT '{}',
  at REAL NOT NULL
);

CREATE TABLE severity (                     -- an edit without a row here is unscored by that provider
  provider_key INTEGER NOT NULL REFERENCES provider(provider_key) ON DELETE CASCADE,
  prediction_key INTEGER NOT NULL REFERENCES prediction(prediction_key) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  severity REAL NOT NULL CHECK (severity BETWEEN 0 AND 1),
  imputed INTEGER NOT NULL DEFAULT 0,
  p0 REAL, p1 REAL, p2 REAL, p3 REAL, p4 REAL,
  PRIMARY KEY (provider_key, prediction_key, ordinal)
) WITHOUT ROWID;
CREATE INDEX severity_worst ON severity(provider_key, severity DESC, prediction_key, ordinal);

CREATE TABLE severity_run (                 -- which state of a run a provider has charged
  provider_key INTEGER NOT NULL REFERENCES provider(provider_key) ON DELETE CASCADE,
  run_key INTEGER NOT NULL REFERENCES run(run_key) ON DELETE CASCADE,
  stamp TEXT NOT NULL,
  PRIMARY KEY (provider_key, run_key)
) WITHOUT ROWID;

CREATE TABLE edit_check (                   -- the working list of what to check first
  prediction_key INTEGER NOT NULL REFERENCES prediction(prediction_key) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('done', 'gold-wrong')),
  at REAL NOT NULL,
  PRIMARY KEY (prediction_key, ordinal)
) WITHOUT ROWID;
