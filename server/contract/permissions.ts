import { z } from './lazy-zod.ts'

/**
 * Permission tree with the values users have before any group adds to them. Administrators have all
 * permissions.
 */
export const DEFAULT_PERMISSIONS = Object.freeze({
  workspace: Object.freeze({
    models: false,
    knowledge: false,
    prompts: false,
    tools: false,
    skills: false,
    models_import: false,
    models_export: false,
    prompts_import: false,
    prompts_export: false,
    tools_import: false,
    tools_export: false,
  }),
  sharing: Object.freeze({
    models: false,
    public_models: false,
    knowledge: false,
    public_knowledge: false,
    prompts: false,
    public_prompts: false,
    tools: false,
    public_tools: false,
    skills: false,
    public_skills: false,
    notes: false,
    public_notes: false,
    public_chats: false,
    public_calendars: false,
  }),
  access_grants: Object.freeze({ allow_users: true }),
  chat: Object.freeze({
    controls: true,
    valves: true,
    system_prompt: true,
    params: true,
    file_upload: true,
    web_upload: true,
    delete: true,
    delete_message: true,
    continue_response: true,
    regenerate_response: true,
    rate_response: true,
    edit: true,
    share: true,
    export: true,
    stt: true,
    tts: true,
    call: true,
    multiple_models: true,
    temporary: true,
    temporary_enforced: false,
  }),
  features: Object.freeze({
    api_keys: false,
    notes: true,
    folders: true,
    channels: true,
    web_search: true,
    image_generation: true,
    code_interpreter: true,
    memories: true,
    calendar: true,
    direct_tool_servers: false,
    automations: false,
  }),
  settings: Object.freeze({ interface: true }),
})

type Tree = typeof DEFAULT_PERMISSIONS
type Branch = keyof Tree

/** Permission as `branch.key`, such as `chat.delete`. */
export type Permission = { [B in Branch]: `${B}.${Extract<keyof Tree[B], string>}` }[Branch]

const branchSchema = <B extends Branch>(branch: B) =>
  z.object(
    Object.fromEntries(
      Object.keys(DEFAULT_PERMISSIONS[branch]).map((key) => [key, z.boolean()]),
    ) as Record<keyof Tree[B], z.ZodBoolean>,
  )

/** Whole tree, as shown by a session, `/api/config` and the permission pages. */
export const permissionsSchema = z
  .object({
    workspace: branchSchema('workspace'),
    sharing: branchSchema('sharing'),
    access_grants: branchSchema('access_grants'),
    chat: branchSchema('chat'),
    features: branchSchema('features'),
    settings: branchSchema('settings'),
  })
  .meta({ id: 'Permissions' })
export type Permissions = z.output<typeof permissionsSchema>

/** Part of the tree in a request: omitted permissions stay unchanged. Unknown names are ignored. */
export const permissionsInputSchema = z.record(z.string(), z.record(z.string(), z.boolean()))
/** Validated part of the tree. */
export type PermissionsInput = z.output<typeof permissionsInputSchema>
