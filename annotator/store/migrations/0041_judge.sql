-- What a judge answered, by what was asked: prompt version, model, temperature, pair and edit. It outlives the edits.

CREATE TABLE judge_answer (
  question BLOB PRIMARY KEY,                -- SHA-256 of everything that was asked
  prompt TEXT NOT NULL,
  model TEXT NOT NULL,
  temperature REAL NOT NULL,
  p0 REAL, p1 REAL, p2 REAL, p3 REAL, p4 REAL,   -- all null: undecided after being asked twice
  from_logprobs INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  said TEXT NOT NULL,
  at REAL NOT NULL
) WITHOUT ROWID;
