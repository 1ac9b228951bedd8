-- Up Migration

ALTER TABLE audit_entries
  ADD COLUMN actor text,
  ADD COLUMN actor_id text,
  ADD COLUMN role text,
  -- Null for entries from before the chain.
  ADD COLUMN seq bigint,
  -- SHA-256 of the hash before and the entry, hex.
  ADD COLUMN hash text;
-- Empty at first, so that it is made at once however many entries there are.
CREATE UNIQUE INDEX audit_entries_seq ON audit_entries (seq) WHERE seq IS NOT NULL;

-- One row. The anchor is the newest entry that retention has removed; the chain goes from there to the head.
CREATE TABLE audit_chain (
  only_row boolean PRIMARY KEY CHECK (only_row),
  anchor_seq bigint NOT NULL,
  anchor_hash text NOT NULL,
  head_seq bigint NOT NULL,
  head_hash text NOT NULL,
  -- Entries from before the chain, when it began: later there may be fewer, never more.
  unchained bigint NOT NULL
);
INSERT INTO audit_chain
SELECT true, 0, repeat('0', 64), 0, repeat('0', 64), count(*) FROM audit_entries;

-- A text with its length in bytes before it, so that no two entries look the same.
CREATE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

-- The same bytes as `domain/audit-chain.ts` makes of an entry.
CREATE FUNCTION audit_hash(previous text, entry audit_entries) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, admin_log, pg_temp AS $$
  SELECT encode(sha256(convert_to(concat(
    audit_field(previous), audit_field(entry.seq::text), audit_field(entry.id::text),
    audit_field(to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    audit_field(entry.actor), audit_field(entry.actor_id), audit_field(entry.role), audit_field(entry.action),
    audit_field(entry.subject), audit_field(entry.success::text), audit_field(entry.session_id),
    audit_field(entry.address),
    (SELECT string_agg(audit_field(key) || audit_field(value), '' ORDER BY key COLLATE "C")
     FROM jsonb_each_text(entry.details))), 'UTF8')), 'hex')
$$;

-- Every writer, of this version or an older one, waits for the one before: the row of the chain is the queue.
CREATE FUNCTION chain_audit_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  head audit_chain;
BEGIN
  SELECT * INTO head FROM audit_chain FOR UPDATE;
  -- Delivered again: it has its place already.
  IF EXISTS (SELECT FROM audit_entries WHERE id = NEW.id) THEN
    RETURN NULL;
  END IF;
  NEW.seq := head.head_seq + 1;
  NEW.hash := audit_hash(head.head_hash, NEW);
  UPDATE audit_chain SET head_seq = NEW.seq, head_hash = NEW.hash;
  RETURN NEW;
END
$$;
CREATE TRIGGER chain_audit_entry BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- Retention removes the oldest entries only, and the anchor moves with it.
CREATE FUNCTION anchor_audit_chain() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  chain audit_chain;
  first bigint;
  last bigint;
  removed bigint;
BEGIN
  SELECT min(seq), max(seq), count(seq) INTO first, last, removed FROM removed_entries;
  IF removed = 0 THEN
    RETURN NULL;
  END IF;
  SELECT * INTO chain FROM audit_chain FOR UPDATE;
  IF first <> chain.anchor_seq + 1 OR last - first + 1 <> removed THEN
    RAISE EXCEPTION 'only the oldest entries of the audit trail can be removed';
  END IF;
  UPDATE audit_chain SET anchor_seq = last, anchor_hash = (SELECT hash FROM removed_entries WHERE seq = last);
  RETURN NULL;
END
$$;
CREATE TRIGGER anchor_audit_chain AFTER DELETE ON audit_entries
  REFERENCING OLD TABLE AS removed_entries FOR EACH STATEMENT EXECUTE FUNCTION anchor_audit_chain();

-- The service's role is granted changes of every table, so that these two are refused by name.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'casewatch_admin_log' THEN
    RAISE EXCEPTION 'the audit trail can''t be changed';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER refuse_audit_change BEFORE UPDATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER refuse_audit_change BEFORE INSERT OR UPDATE OR DELETE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Down Migration

DROP TRIGGER refuse_audit_change ON audit_entries;
DROP TRIGGER anchor_audit_chain ON audit_entries;
DROP TRIGGER chain_audit_entry ON audit_entries;
DROP TABLE audit_chain;
DROP FUNCTION refuse_audit_change();
DROP FUNCTION anchor_audit_chain();
DROP FUNCTION chain_audit_entry();
DROP FUNCTION audit_hash(text, audit_entries);
DROP FUNCTION audit_field(text);
ALTER TABLE audit_entries
  DROP COLUMN actor, DROP COLUMN actor_id, DROP COLUMN role, DROP COLUMN seq, DROP COLUMN hash;
