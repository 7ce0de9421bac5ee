import type { ChatListItem } from '#contract/chats.ts'
import type { Connection } from '#contract/connections.ts'
import type { Model, ModelRow } from '#contract/models.ts'
import type { Note } from '#contract/notes.ts'
import type { Skill } from '#contract/skills.ts'
import type { Prompt } from '#contract/prompts.ts'

export const sampleChat = (part: Partial<ChatListItem> = {}): ChatListItem => ({
  id: 'c1',
  title: '2026-04',
  created_at: 100,
  updated_at: 100,
  pinned: false,
  archived: false,
  folder_id: null,
  share_id: null,
  tags: [],
  last_read_at: null,
  active: false,
  ...part,
})

export const sampleModel = (part: Partial<Model> = {}): Model => ({
  id: 'm1',
  name: 'river',
  object: 'model',
  created: 1,
  owned_by: 'runtime',
  connection_type: 'local',
  connection_name: 'Desk',
  tags: [],
  info: { meta: {} },
  actions: [],
  filters: [],
  ...part,
})

export const sampleModelRow = (part: Partial<ModelRow> = {}): ModelRow => ({
  id: 'brief',
  user_id: 'u1',
  base_model_id: 'm1',
  name: 'Brief',
  params: {},
  meta: {},
  access_grants: [],
  access_control: {},
  is_active: true,
  write_access: true,
  user: null,
  created_at: 1,
  updated_at: 1,
  ...part,
})

export const samplePrompt = (part: Partial<Prompt> = {}): Prompt => ({
  id: 'p1',
  user_id: 'u1',
  command: 'letter',
  name: 'Letter',
  title: 'Letter',
  content: 'Write a letter.',
  tags: [],
  data: {},
  meta: {},
  is_active: true,
  version_id: 'v1',
  created_at: 1,
  updated_at: 1,
  timestamp: 1,
  write_access: true,
  user: null,
  access_grants: [],
  access_control: {},
  ...part,
})

export const sampleSkill = (part: Partial<Skill> = {}): Skill => ({
  id: 'reports',
  user_id: 'u1',
  name: 'Reports',
  description: 'How reports are written.',
  content: 'Begin with the result.',
  meta: { tags: [] },
  is_active: true,
  access_grants: [],
  write_access: true,
  user: null,
  files: [],
  revision: 1,
  created_at: 1,
  updated_at: 1,
  ...part,
})

export const sampleConnection = (part: Partial<Connection> = {}): Connection => ({
  id: 'k1',
  kind: 'compatible',
  name: 'North',
  url: 'https://north.example/v1',
  enabled: true,
  prefix_id: '',
  model_ids: [],
  headers: {},
  timeout_seconds: 60,
  connection_type: null,
  access: 'granted',
  use_proxy: true,
  trusted_certificate: null,
  has_key: true,
  key_hint: 'sk-a…z',
  origin: 'stored',
  overridden: [],
  state: { status: 'ok', detail: null, code: null, model_count: 2, checked_at: 1 },
  ...part,
})

export const sampleNote = (part: Partial<Note> = {}): Note => ({
  id: 'n1',
  user_id: 'u1',
  title: 'Garden',
  data: { content: { md: 'roses' } },
  meta: {},
  is_pinned: false,
  created_at: 1,
  updated_at: 1,
  write_access: true,
  user: null,
  access_grants: [],
  access_control: {},
  ...part,
})
