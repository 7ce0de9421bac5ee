/** Name of the channel on which PostgreSQL notifies the gateways of a database. */
export const CHANGES_CHANNEL = 'chat_gateway_changes'

/**
 * Tables whose rows gateways cache, with the key column of a change, and the columns whose changes
 * count if not all do.
 */
const TOLD = {
  setting: { key: 'key' },
  user: {
    key: 'id',
    columns: 'name, email, role, is_guest, token_version, last_active_at, deleted_at',
  },
  user_group: { key: 'id' },
  user_group_member: { key: 'group_id' },
  access_grant: { key: 'resource_type' },
  api_key: { key: 'user_id', columns: 'limits' },
  revoked_token: { key: 'jti' },
  connection: { key: 'id' },
  connection_override: { key: 'id' },
  model: { key: 'id' },
  plugin: { key: 'id' },
  tool_server: { key: 'id' },
  event_webhook: { key: 'id' },
  channel: { key: 'id' },
  channel_member: { key: 'channel_id' },
} as const satisfies Record<string, { readonly key: string; readonly columns?: string }>

/** A table whose changes are announced to others. */
export type ToldTable = keyof typeof TOLD

const TELL = `create or replace function tell_change() returns trigger language plpgsql as $$
  declare changed text;
  begin
    if tg_op = 'DELETE' then execute format('select ($1).%I::text', tg_argv[0]) into changed using old;
    else execute format('select ($1).%I::text', tg_argv[0]) into changed using new; end if;
    perform pg_notify('${CHANGES_CHANNEL}', json_build_array(current_setting('application_name'), tg_table_name, changed)::text);
    return null;
  end $$`

/**
 * Returns the statements for triggers that announce every write to these tables with the commit;
 * tables that do not exist yet are omitted.
 */
export const tellingStatements = (): string[] => [
  TELL,
  ...Object.entries<{ key: string; columns?: string }>(TOLD).map(
    ([table, { key, columns }]) => `do $$ begin
      if to_regclass('"${table}"') is not null then
        create or replace trigger ${table}_told after insert or delete or update${columns ? ` of ${columns}` : ''}
          on "${table}" for each row execute function tell_change('${key}');
      end if; end $$`,
  ),
]
