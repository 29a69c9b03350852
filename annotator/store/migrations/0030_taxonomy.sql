-- Error classes of a run's answers, as arrays; computed when asked for, and anew when the stamp differs.

CREATE TABLE error_block (
  run_key INTEGER NOT NULL REFERENCES run(run_key) ON DELETE CASCADE,
  script TEXT NOT NULL,
  own_gold INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (run_key, script, own_gold)
);
