-- Studies: tasks, raters, leases, and every answer. `task_system` is apart so that a rater's path never joins a system.

CREATE TABLE study (
  study_key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('edit-severity', 'text-severity', 'text-score', 'preference', 'transcription',
                                     'labels', 'other-review')),
  state TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'open', 'closed')),
  overlap INTEGER NOT NULL CHECK (overlap >= 1),
  seed INTEGER NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',      -- JSON: what raters see and how they are checked
  method TEXT NOT NULL DEFAULT '',          -- the method note, in Markdown
  created_at REAL NOT NULL,
  created_revision INTEGER NOT NULL
);

CREATE TABLE task (
  task_key INTEGER PRIMARY KEY,
  study_key INTEGER NOT NULL REFERENCES study(study_key) ON DELETE CASCADE,
  number INTEGER NOT NULL,                  -- 1, 2 ... in seeded random order: says nothing of item, band or system
  item_key INTEGER REFERENCES item(item_key) ON DELETE SET NULL,
  item_id TEXT NOT NULL,
  language TEXT NOT NULL DEFAULT '',
  band TEXT NOT NULL DEFAULT '',
  gold TEXT,                                -- the texts as they were when the study was made
  standard TEXT NOT NULL DEFAULT '',
  predicted TEXT,                           -- preference: output a, as stored
  predicted_b TEXT,
  op TEXT, gold_index INTEGER, predicted_index INTEGER, gold_edit TEXT, predicted_edit TEXT,
  attention INTEGER NOT NULL DEFAULT 0,
  expected TEXT NOT NULL DEFAULT '',        -- attention tasks: accepted values, joined by |
  repeats INTEGER NOT NULL DEFAULT 0,       -- 1: shown to each rater once more, later
  taken INTEGER NOT NULL DEFAULT 0,         -- first answers by raters who were not withdrawn; kept by every write
  UNIQUE (study_key, number)
);
CREATE INDEX task_free ON task(study_key, attention, taken, number);
CREATE INDEX task_item ON task(item_key);

CREATE TABLE task_system (                  -- every system that made this output; read by results only
  task_key INTEGER NOT NULL REFERENCES task(task_key) ON DELETE CASCADE,
  side TEXT NOT NULL DEFAULT 'a' CHECK (side IN ('a', 'b')),
  system TEXT NOT NULL,
  condition TEXT NOT NULL,
  PRIMARY KEY (task_key, side, system, condition)
) WITHOUT ROWID;

CREATE TABLE rater (
  rater_key INTEGER PRIMARY KEY,
  study_key INTEGER NOT NULL REFERENCES study(study_key) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  label TEXT NOT NULL,                      -- rater-03; the rater may change it
  kind TEXT NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'model', 'import')),
  token_hash TEXT NOT NULL UNIQUE,
  stage TEXT NOT NULL DEFAULT 'new' CHECK (stage IN ('new', 'guidelines', 'check', 'rating', 'refused')),
  locale TEXT NOT NULL DEFAULT 'en',
  seed INTEGER NOT NULL,
  check_tries INTEGER NOT NULL DEFAULT 0,
  hotkeys INTEGER NOT NULL DEFAULT 1,
  created_at REAL NOT NULL,
  consented_at REAL,
  seen_at REAL,
  withdrawn_at REAL,
  UNIQUE (study_key, number),
  UNIQUE (study_key, label)
);

CREATE TABLE invite (                       -- study links; a rater link is the rater's own token
  invite_key INTEGER PRIMARY KEY,
  study_key INTEGER NOT NULL REFERENCES study(study_key) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  one_time INTEGER NOT NULL DEFAULT 0,
  used INTEGER NOT NULL DEFAULT 0,
  revoked_at REAL,
  created_at REAL NOT NULL
);

CREATE TABLE lease (                        -- one row per task that a rater was shown and has not answered
  task_key INTEGER NOT NULL REFERENCES task(task_key) ON DELETE CASCADE,
  rater_key INTEGER NOT NULL REFERENCES rater(rater_key) ON DELETE CASCADE,
  repeat INTEGER NOT NULL DEFAULT 0,
  until REAL NOT NULL,                      -- live while until > now
  shown_at REAL NOT NULL,
  shown_first TEXT NOT NULL DEFAULT '',     -- preference: which stored output was shown first, a or b
  PRIMARY KEY (task_key, rater_key, repeat)
) WITHOUT ROWID;
CREATE INDEX lease_rater ON lease(rater_key);

CREATE TABLE rating_event (                 -- append-only: every answer, change, undo
  event_key INTEGER PRIMARY KEY,
  event TEXT NOT NULL UNIQUE,               -- made by the browser: a click delivered twice is one event
  study_key INTEGER NOT NULL REFERENCES study(study_key),
  task_key INTEGER NOT NULL REFERENCES task(task_key),
  rater_key INTEGER NOT NULL REFERENCES rater(rater_key),
  repeat INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('answer', 'change', 'undo', 'cannot')),
  value TEXT,
  rationale TEXT NOT NULL DEFAULT '',
  shown_first TEXT NOT NULL DEFAULT '',
  seconds REAL,
  at REAL NOT NULL,
  replaces INTEGER REFERENCES rating_event(event_key),
  details TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX rating_event_task ON rating_event(task_key, rater_key);
CREATE TRIGGER rating_event_kept_update BEFORE UPDATE ON rating_event BEGIN SELECT RAISE(ABORT, 'rating_event is append-only'); END;
CREATE TRIGGER rating_event_kept_delete BEFORE DELETE ON rating_event BEGIN SELECT RAISE(ABORT, 'rating_event is append-only'); END;

CREATE TABLE rating (                       -- the current value
  study_key INTEGER NOT NULL REFERENCES study(study_key),
  task_key INTEGER NOT NULL REFERENCES task(task_key),
  rater_key INTEGER NOT NULL REFERENCES rater(rater_key),
  repeat INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,                -- 1, 2 ... in the order in which this rater first answered
  value TEXT,                               -- NULL: cannot judge
  cannot TEXT NOT NULL DEFAULT '',          -- image, text, gold-wrong, other
  surplus INTEGER NOT NULL DEFAULT 0,       -- came after its lease had gone to another: outside the first k
  answered_at REAL NOT NULL,                -- of the first answer; a change keeps the place
  event_key INTEGER NOT NULL REFERENCES rating_event(event_key),
  UNIQUE (study_key, task_key, rater_key, repeat)
);
CREATE INDEX rating_rater ON rating(rater_key, position);
CREATE INDEX rating_task ON rating(task_key, repeat);

CREATE TABLE adjudication (                 -- one settled value per task (and label); earlier ones stay
  adjudication_key INTEGER PRIMARY KEY,
  study_key INTEGER NOT NULL REFERENCES study(study_key),
  task_key INTEGER NOT NULL REFERENCES task(task_key),
  value TEXT NOT NULL,                      -- JSON, as a rating's
  by TEXT NOT NULL,
  at REAL NOT NULL
);
CREATE INDEX adjudication_task ON adjudication(task_key);
