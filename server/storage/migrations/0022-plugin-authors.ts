import type { Migration } from './migration.ts'

/**
 * The last editor of a plugin's source, which determines in whose process it runs. Before this step
 * any account with a write grant could change the source of a tool, so the author of a tool with
 * such a grant is unknown.
 */
export const migration: Migration = {
  id: '0022-plugin-authors',
  statements: [
    "alter table plugin add column author_id text not null default ''",
    "update plugin set author_id = user_id where store = 'function' or not exists (select 1 from access_grant " +
      "where resource_type = 'tool' and resource_id = plugin.id and permission = 'write')",
  ],
}
