#include "lessons/schema.h"

#define IMMUTABLE                                                      \
	"CREATE TRIGGER lessons_immutable BEFORE UPDATE OF "           \
	"id, scope, text, text_key, evidence, basis, source_harness, " \
	"source_session, "                                             \
	"created_at, updated_at, revision, supersedes_id ON lessons "  \
	"BEGIN SELECT RAISE(ABORT, 'a lesson is never edited'); END"

/* What keeps a table that only grows: no change, no deletion, no replacement. */
#define HISTORY(table, same)                                                  \
	"CREATE TRIGGER " table "_immutable BEFORE UPDATE ON " table " "      \
	"BEGIN SELECT RAISE(ABORT, 'what was recorded stays'); END",          \
		"CREATE TRIGGER " table "_no_delete BEFORE DELETE ON " table  \
		" "                                                           \
		"BEGIN SELECT RAISE(ABORT, 'what was recorded stays'); END",  \
		"CREATE TRIGGER " table "_no_replace BEFORE INSERT ON " table \
		" "                                                           \
		"WHEN EXISTS (SELECT 1 FROM " table " WHERE " same ") "       \
		"BEGIN SELECT RAISE(ABORT, 'what was recorded stays'); END"

const char schema_immutable[] = IMMUTABLE;

const char *const schema_script[] = {
	"CREATE TABLE lessons ( "
	"id INTEGER PRIMARY KEY CHECK(typeof(id) = 'integer' AND id BETWEEN 1 "
	"AND 9007199254740991), "
	"scope TEXT NOT NULL, "
	"text TEXT NOT NULL CHECK(length(text) BETWEEN 1 AND 1200), "
	"text_key TEXT NOT NULL, "
	"evidence TEXT NOT NULL CHECK(length(evidence) BETWEEN 1 AND 600), "
	"basis TEXT NOT NULL CHECK(basis IN ('validated_learning', "
	"'validated_fix', 'user_request', 'import')), "
	"source_harness TEXT NOT NULL, "
	"source_session TEXT, "
	"created_at INTEGER NOT NULL, "
	"updated_at INTEGER NOT NULL, "
	"revision INTEGER NOT NULL DEFAULT 1, "
	"archived INTEGER NOT NULL DEFAULT 0 CHECK(archived IN (0, 1)), "
	"archived_at INTEGER CHECK(archived_at IS NULL OR (archived = 1 AND "
	"archived_at >= created_at)), "
	"supersedes_id INTEGER UNIQUE REFERENCES lessons(id) "
	") WITHOUT ROWID",
	"CREATE UNIQUE INDEX lessons_active_text ON lessons(scope, text_key) "
	"WHERE archived = 0",
	"CREATE INDEX lessons_recall ON lessons(scope, archived, created_at "
	"DESC, id)",
	IMMUTABLE,
	"CREATE TRIGGER lessons_archive_only BEFORE UPDATE OF archived, "
	"archived_at ON lessons "
	"WHEN OLD.archived != 0 OR NEW.archived != 1 OR NEW.archived_at IS "
	"NULL "
	"BEGIN SELECT RAISE(ABORT, 'a lesson only goes from active to "
	"archived'); END",
	"CREATE TRIGGER lessons_no_delete BEFORE DELETE ON lessons "
	"BEGIN SELECT RAISE(ABORT, 'a lesson is never deleted'); END",
	"CREATE TRIGGER lessons_no_replace BEFORE INSERT ON lessons "
	"WHEN EXISTS (SELECT 1 FROM lessons WHERE id = NEW.id) "
	"OR (NEW.archived = 0 AND EXISTS (SELECT 1 FROM lessons "
	"WHERE scope = NEW.scope AND text_key = NEW.text_key AND archived = "
	"0)) "
	"OR (NEW.supersedes_id IS NOT NULL AND EXISTS (SELECT 1 FROM lessons "
	"WHERE supersedes_id = NEW.supersedes_id)) "
	"BEGIN SELECT RAISE(ABORT, 'a lesson is never replaced'); END",
	"CREATE TRIGGER lessons_successor_scope BEFORE INSERT ON lessons "
	"WHEN NEW.supersedes_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
	"lessons "
	"WHERE id = NEW.supersedes_id AND scope = NEW.scope AND archived = 1) "
	"BEGIN SELECT RAISE(ABORT, 'a predecessor is archived, in the same "
	"scope'); END",
	"CREATE TABLE activity ( "
	"id INTEGER PRIMARY KEY CHECK(typeof(id) = 'integer' AND id > 0), "
	"lesson_id INTEGER NOT NULL REFERENCES lessons(id), "
	"action TEXT NOT NULL CHECK(action IN ('create', 'import', "
	"'supersede', 'archive', 'move')), "
	"at INTEGER, "
	"actor TEXT NOT NULL CHECK(actor IN ('user', 'model', 'unknown')), "
	"provider TEXT, "
	"model TEXT, "
	"harness TEXT NOT NULL, "
	"session TEXT, "
	"reason TEXT, "
	"details TEXT NOT NULL CHECK(json_valid(details)), "
	"historical INTEGER NOT NULL CHECK(historical IN (0, 1)) "
	") WITHOUT ROWID",
	"CREATE INDEX activity_lesson ON activity(lesson_id, at DESC, id DESC)",
	"CREATE TRIGGER activity_no_update BEFORE UPDATE ON activity "
	"BEGIN SELECT RAISE(ABORT, 'activity is never edited'); END",
	"CREATE TRIGGER activity_no_delete BEFORE DELETE ON activity "
	"BEGIN SELECT RAISE(ABORT, 'activity is never deleted'); END",
	"CREATE TRIGGER activity_no_replace BEFORE INSERT ON activity "
	"WHEN EXISTS (SELECT 1 FROM activity WHERE id = NEW.id) "
	"BEGIN SELECT RAISE(ABORT, 'activity is never replaced'); END",
	"CREATE TABLE candidate_state (key TEXT PRIMARY KEY, value INTEGER NOT "
	"NULL) WITHOUT ROWID",
	"INSERT INTO candidate_state VALUES ('evaluation_highwater', 0), "
	"('marker', 0)",
	"CREATE TABLE candidates ( "
	"id INTEGER PRIMARY KEY CHECK(typeof(id) = 'integer' AND id BETWEEN 1 "
	"AND 9007199254740991), "
	"project TEXT NOT NULL, "
	"text TEXT NOT NULL, "
	"text_key TEXT NOT NULL, "
	"evidence TEXT NOT NULL, "
	"basis TEXT NOT NULL CHECK(basis IN ('validated_learning', "
	"'validated_fix', 'user_request')), "
	"created_at INTEGER NOT NULL, "
	"status TEXT NOT NULL DEFAULT 'pending' CHECK(status IN ('pending', "
	"'promoted')), "
	"lesson_id INTEGER REFERENCES lessons(id), "
	"CHECK((status = 'pending') = (lesson_id IS NULL)) "
	") WITHOUT ROWID",
	"CREATE UNIQUE INDEX candidate_pending_identity ON candidates(project, "
	"text_key) WHERE status = 'pending'",
	"CREATE INDEX candidate_text_identity ON candidates(text_key, id)",
	"CREATE TABLE candidate_observations ( "
	"id INTEGER PRIMARY KEY CHECK(typeof(id) = 'integer' AND id BETWEEN 1 "
	"AND 9007199254740991), "
	"candidate_id INTEGER NOT NULL REFERENCES candidates(id), "
	"wording TEXT NOT NULL, "
	"evidence TEXT NOT NULL, "
	"basis TEXT NOT NULL, "
	"origin TEXT NOT NULL CHECK(json_valid(origin)), "
	"owner_key TEXT NOT NULL, "
	"created_at INTEGER NOT NULL, "
	"independence_key TEXT NOT NULL, "
	"UNIQUE(candidate_id, owner_key) "
	") WITHOUT ROWID",
	"CREATE TABLE candidate_exposures ( "
	"candidate_id INTEGER NOT NULL REFERENCES candidates(id), "
	"independence_key TEXT NOT NULL, "
	"observation_highwater INTEGER NOT NULL, "
	"created_at INTEGER NOT NULL, "
	"PRIMARY KEY(candidate_id, independence_key) "
	") WITHOUT ROWID",
	"CREATE TABLE candidate_evaluations ( "
	"id INTEGER PRIMARY KEY CHECK(typeof(id) = 'integer' AND id BETWEEN 1 "
	"AND 9007199254740991), "
	"recorded_at INTEGER NOT NULL, "
	"highwater INTEGER NOT NULL, "
	"evaluator TEXT NOT NULL CHECK(json_valid(evaluator)) "
	") WITHOUT ROWID",
	"CREATE TABLE candidate_evaluation_groups ( "
	"evaluation_id INTEGER NOT NULL REFERENCES candidate_evaluations(id), "
	"group_index INTEGER NOT NULL, "
	"text TEXT NOT NULL, "
	"evidence TEXT NOT NULL, "
	"scope TEXT NOT NULL CHECK(scope IN ('project', 'global')), "
	"reason TEXT NOT NULL, "
	"recommend INTEGER NOT NULL CHECK(recommend IN (0, 1)), "
	"approved INTEGER NOT NULL CHECK(approved IN (0, 1)), "
	"qualification TEXT NOT NULL CHECK(json_valid(qualification)), "
	"lesson_id INTEGER REFERENCES lessons(id), "
	"PRIMARY KEY(evaluation_id, group_index) "
	") WITHOUT ROWID",
	"CREATE TABLE candidate_group_members ( "
	"evaluation_id INTEGER NOT NULL, "
	"group_index INTEGER NOT NULL, "
	"candidate_id INTEGER NOT NULL REFERENCES candidates(id), "
	"PRIMARY KEY(evaluation_id, group_index, candidate_id), "
	"UNIQUE(evaluation_id, candidate_id), "
	"FOREIGN KEY(evaluation_id, group_index) REFERENCES "
	"candidate_evaluation_groups(evaluation_id, group_index) "
	") WITHOUT ROWID",
	"CREATE TRIGGER candidates_immutable BEFORE UPDATE OF "
	"id, project, text, text_key, evidence, basis, created_at ON "
	"candidates "
	"BEGIN SELECT RAISE(ABORT, 'a candidate is never edited'); END",
	"CREATE TRIGGER candidates_promotion_only BEFORE UPDATE OF status, "
	"lesson_id ON candidates "
	"WHEN OLD.status != 'pending' OR NEW.status != 'promoted' OR "
	"NEW.lesson_id IS NULL "
	"BEGIN SELECT RAISE(ABORT, 'a candidate only goes from pending to "
	"promoted'); END",
	"CREATE TRIGGER candidates_no_delete BEFORE DELETE ON candidates "
	"BEGIN SELECT RAISE(ABORT, 'a candidate is never deleted'); END",
	"CREATE TRIGGER candidates_no_replace BEFORE INSERT ON candidates "
	"WHEN EXISTS (SELECT 1 FROM candidates WHERE id = NEW.id) "
	"OR (NEW.status = 'pending' AND EXISTS (SELECT 1 FROM candidates "
	"WHERE project = NEW.project AND text_key = NEW.text_key AND status = "
	"'pending')) "
	"BEGIN SELECT RAISE(ABORT, 'a candidate is never replaced'); END",
	HISTORY("candidate_observations",
		"id = NEW.id OR (candidate_id = NEW.candidate_id AND owner_key "
		"= NEW.owner_key)"),
	HISTORY("candidate_exposures",
		"candidate_id = NEW.candidate_id AND independence_key = "
		"NEW.independence_key"),
	HISTORY("candidate_evaluations", "id = NEW.id"),
	HISTORY("candidate_evaluation_groups",
		"evaluation_id = NEW.evaluation_id AND group_index = "
		"NEW.group_index"),
	HISTORY("candidate_group_members",
		"evaluation_id = NEW.evaluation_id AND candidate_id = "
		"NEW.candidate_id"),
	"PRAGMA application_id = 1347241293",
	"PRAGMA user_version = 9",
	NULL
};

const struct schema_table schema_tables[] = {
	{ "lessons",
	  { "id", "scope", "text", "text_key", "evidence", "basis",
	    "source_harness", "source_session", "created_at", "updated_at",
	    "revision", "archived", "archived_at", "supersedes_id", NULL },
	  "ittttttTiiiiII",
	  "SELECT id, scope, text, text_key, evidence, basis, source_harness, "
	  "source_session, created_at, updated_at, revision, archived, "
	  "archived_at, supersedes_id FROM lessons ORDER BY id" },
	{ "activity",
	  { "id", "lesson_id", "action", "at", "actor", "provider", "model",
	    "harness", "session", "reason", "details", "historical", NULL },
	  "iitItTTtTTti",
	  "SELECT id, lesson_id, action, at, actor, provider, model, harness, "
	  "session, reason, details, historical FROM activity ORDER BY id" },
	{ "candidate_state",
	  { "key", "value", NULL },
	  "ti",
	  "SELECT key, value FROM candidate_state ORDER BY key" },
	{ "candidates",
	  { "id", "project", "text", "text_key", "evidence", "basis",
	    "created_at", "status", "lesson_id", NULL },
	  "itttttitI",
	  "SELECT id, project, text, text_key, evidence, basis, created_at, "
	  "status, lesson_id FROM candidates ORDER BY id" },
	{ "candidate_observations",
	  { "id", "candidate_id", "wording", "evidence", "basis", "origin",
	    "owner_key", "created_at", "independence_key", NULL },
	  "iitttttit",
	  "SELECT id, candidate_id, wording, evidence, basis, origin, "
	  "owner_key, created_at, independence_key FROM candidate_observations "
	  "ORDER BY id" },
	{ "candidate_exposures",
	  { "candidate_id", "independence_key", "observation_highwater",
	    "created_at", NULL },
	  "itii",
	  "SELECT candidate_id, independence_key, observation_highwater, "
	  "created_at FROM candidate_exposures ORDER BY candidate_id, "
	  "independence_key" },
	{ "candidate_evaluations",
	  { "id", "recorded_at", "highwater", "evaluator", NULL },
	  "iiit",
	  "SELECT id, recorded_at, highwater, evaluator FROM "
	  "candidate_evaluations ORDER BY id" },
	{ "candidate_evaluation_groups",
	  { "evaluation_id", "group_index", "text", "evidence", "scope",
	    "reason", "recommend", "approved", "qualification", "lesson_id",
	    NULL },
	  "iittttiitI",
	  "SELECT evaluation_id, group_index, text, evidence, scope, reason, "
	  "recommend, approved, qualification, lesson_id FROM "
	  "candidate_evaluation_groups ORDER BY evaluation_id, group_index" },
	{ "candidate_group_members",
	  { "evaluation_id", "group_index", "candidate_id", NULL },
	  "iii",
	  "SELECT evaluation_id, group_index, candidate_id FROM "
	  "candidate_group_members ORDER BY evaluation_id, group_index, "
	  "candidate_id" },
	{ NULL, { NULL }, NULL, NULL }
};
