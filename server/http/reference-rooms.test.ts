import { afterAll, beforeAll, expect, it } from 'vitest'
import { playRows, type Row, type Who } from '../testing/play-rows.ts'
import { startAudioEngine, type AudioEngine } from '../testing/start-audio-engine.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let test: Conversation
let engine: AudioEngine
let tokens: Readonly<Record<Who, string>>

beforeAll(async () => {
  engine = await startAudioEngine()
  test = await startConversation({
    environment: {
      USER_PERMISSIONS_FEATURES_AUTOMATIONS: 'true',
      USER_PERMISSIONS_WORKSPACE_SKILLS_ACCESS: 'true',
      AUDIO_TTS_OPENAI_API_BASE_URL: `${engine.url}/v1`,
      AUDIO_STT_OPENAI_API_BASE_URL: `${engine.url}/v1`,
    },
  })
  tokens = {
    admin: test.token,
    owner: await test.addUser('Bob'),
    other: await test.addUser('Eve'),
  }
})
afterAll(async () => {
  await test.close()
  await engine.close()
})

const play = (rows: readonly Row[]): Promise<void> =>
  playRows({ server: test.server, tokens }, rows)

const words = (text: string): string[] => text.split(' ')
const containing = (fields: object): unknown => expect.objectContaining(fields)
const EVERYBODY = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]

it('skills are called as in the reference', async () => {
  const record = words(
    'id user_id name description meta is_active access_grants updated_at created_at',
  )
  const whole = [...record, 'content']
  const grants = { access_grants: EVERYBODY }
  const skill = { id: 'My Letters', name: 'Letters', content: 'Be brief.', ...grants }
  const root = '/api/v1/skills'
  await play([
    {
      as: 'admin',
      call: `POST ${root}/create`,
      body: skill,
      has: record,
      lacks: ['content'],
      keep: 'skill',
    },
    { as: 'admin', call: `POST ${root}/create`, body: { ...skill, name: 'Else' }, status: 400 },
    { as: 'admin', call: `POST ${root}/create`, body: { ...skill, id: 'else' }, status: 400 },
    { call: `GET ${root}`, answer: [expect.not.objectContaining({ content: expect.anything() })] },
    {
      call: `GET ${root}/`,
      answer: [containing({ id: 'my-letters', user: containing({ name: 'Ada' }) })],
    },
    {
      call: `GET ${root}/list?page=0`,
      answer: { items: [containing({ content: 'Be brief.', write_access: false })], total: 1 },
    },
    { call: `GET ${root}/list?query=brief`, answer: { items: [], total: 0 } },
    { call: `GET ${root}/list?view_option=created`, answer: { items: [], total: 0 } },
    { call: `GET ${root}/list?view_option=shared`, answer: containing({ total: 1 }) },
    {
      call: `GET ${root}/export`,
      answer: [containing({ id: 'my-letters', content: 'Be brief.' })],
    },
    {
      call: `GET ${root}/id/{skill}`,
      has: whole,
      answer: containing({ user: null, write_access: false }),
    },
    { call: `GET ${root}/id/none`, status: 404 },
    { call: `POST ${root}/id/{skill}/toggle`, status: 403 },
    {
      as: 'admin',
      call: `POST ${root}/id/{skill}/update`,
      body: { id: 'x', name: 'Letters', content: 'Now.' },
      answer: containing({ id: 'my-letters', content: 'Now.' }),
    },
    {
      as: 'admin',
      call: `POST ${root}/id/{skill}/toggle`,
      has: whole,
      answer: containing({ is_active: false }),
    },
    { call: `GET ${root}/`, answer: [containing({ is_active: false })] },
    {
      as: 'admin',
      call: `POST ${root}/id/{skill}/access/update`,
      body: { access_grants: [] },
      has: whole,
    },
    { call: `GET ${root}/id/{skill}`, status: 404 },
    { as: 'admin', call: `DELETE ${root}/id/{skill}/delete`, answer: true },
    { as: 'admin', call: `DELETE ${root}/id/{skill}/delete`, status: 404 },
    { call: `POST ${root}/create`, body: { name: 'x' }, status: 422 },
    {
      call: `POST ${root}/create`,
      body: { ...skill, access_grants: EVERYBODY },
      answer: containing({ access_grants: [] }),
    },
  ])
})

it('automations are called as in the reference', async () => {
  const root = '/api/v1/automations'
  const rrule = 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY'
  const data = { prompt: '', model_id: 'unknown', rrule, terminal: null }
  const record = words(
    'id user_id name data meta is_active last_run_at next_run_at created_at updated_at last_run next_runs',
  )
  await play([
    {
      call: `POST ${root}/create`,
      body: { name: '', data },
      has: record,
      keep: 'automation',
      answer: containing({ next_runs: Array.from({ length: 5 }, () => expect.any(Number)) }),
    },
    {
      call: `POST ${root}/create`,
      body: { name: 'x', data: { ...data, rrule: '' } },
      status: 400,
      answer: containing({ detail: expect.stringMatching(/^Invalid RRULE: /) }),
    },
    {
      call: `POST ${root}/create`,
      body: { name: 'x', data: { ...data, rrule: 'RRULE:FREQ=MINUTELY' } },
      status: 400,
    },
    { call: `POST ${root}/create`, body: { name: 'x' }, status: 422 },
    {
      call: `GET ${root}/list?status=unknown&page=1`,
      answer: { items: [containing({ next_runs: null })], total: 1 },
    },
    { as: 'admin', call: `GET ${root}/list`, answer: { items: [], total: 0 } },
    { as: 'admin', call: `GET ${root}/{automation}`, has: record },
    { as: 'other', call: `GET ${root}/{automation}`, status: 404 },
    {
      call: `POST ${root}/{automation}/update`,
      body: { name: 'News', data },
      answer: containing({ name: 'News' }),
    },
    {
      call: `POST ${root}/{automation}/toggle`,
      answer: containing({ is_active: false, next_run_at: null }),
    },
    {
      call: `POST ${root}/{automation}/toggle`,
      answer: containing({ next_run_at: Date.UTC(2030, 0, 1, 9) * 1e6 }),
    },
    { call: `GET ${root}/{automation}/runs?skip=0&limit=50`, answer: [] },
    { call: `DELETE ${root}/{automation}/delete`, answer: true },
    { call: `GET ${root}/{automation}`, status: 404 },
  ])
})

it('calendars are called as in the reference', async () => {
  const root = '/api/v1/calendars'
  const record = words(
    'id user_id name color is_default is_system data meta access_grants created_at updated_at',
  )
  const fields = words(
    'id calendar_id user_id title description start_at end_at all_day rrule color location data meta is_cancelled attendees created_at updated_at',
  )
  const start = Date.UTC(2030, 0, 7, 9) * 1e6
  const span = 'start=2030-01-07T00:00:00Z&end=2030-01-15T00:00:00Z'
  const event = { calendar_id: '{calendar}', title: '', start_at: start, end_at: start - 1e9 }
  const weekly = { ...event, end_at: start + 3.6e12, rrule: 'RRULE:FREQ=WEEKLY' }
  await play([
    {
      call: `GET ${root}/`,
      answer: [
        containing({ name: 'Personal', color: '#3b82f6', is_default: true }),
        containing({
          id: '__scheduled_tasks__',
          name: 'Scheduled Tasks',
          color: '#8b5cf6',
          is_system: true,
        }),
      ],
    },
    {
      call: `POST ${root}/create`,
      body: { name: '', access_grants: EVERYBODY },
      has: record,
      answer: containing({ access_grants: [] }),
      keep: 'calendar',
    },
    { as: 'other', call: `GET ${root}/{calendar}`, status: 404 },
    { as: 'admin', call: `GET ${root}/{calendar}`, has: record },
    {
      call: `POST ${root}/{calendar}/update`,
      body: { color: '#000000' },
      answer: containing({ color: '#000000' }),
    },
    { as: 'other', call: `POST ${root}/{calendar}/default`, status: 404 },
    { call: `POST ${root}/events/create`, body: event, has: fields, keep: 'odd' },
    { call: `POST ${root}/events/create`, body: { ...event, calendar_id: 'none' }, status: 404 },
    { call: `POST ${root}/events/create`, body: { ...event, attendees: [{}] }, status: 422 },
    { call: `POST ${root}/events/create`, body: { ...event, attendees: [{ user_id: 'ghost' }] } },
    { call: `POST ${root}/events/create`, body: weekly, keep: 'weekly' },
    {
      call: `GET ${root}/events?${span}&calendar_ids={calendar},none`,
      answer: expect.arrayContaining(
        [0, 7].map((day) =>
          containing({
            id: expect.any(String),
            instance_id: expect.stringMatching(
              new RegExp(`_${BigInt(start) + BigInt(day) * 86_400_000_000_000n}$`),
            ),
            user: containing({ name: 'Bob' }),
          }),
        ),
      ),
    },
    { call: `GET ${root}/events?start=x&end=y`, status: 400 },
    {
      call: `GET ${root}/events/search?query=&skip=0&limit=10`,
      answer: containing({ items: expect.any(Array), total: 3 }),
    },
    { call: `GET ${root}/events/none`, status: 404 },
    { as: 'other', call: `GET ${root}/events/{odd}`, status: 404 },
    {
      as: 'admin',
      call: `POST ${root}/events/{odd}/update`,
      body: { title: 'Seen' },
      answer: containing({ title: 'Seen' }),
    },
    { call: `POST ${root}/events/{odd}/update`, body: { calendar_id: 'none' }, status: 404 },
    { call: `POST ${root}/events/{odd}/rsvp`, body: { status: 'maybe' }, status: 400 },
    { call: `POST ${root}/events/{odd}/rsvp`, body: { status: 'accepted' }, status: 404 },
    { call: `DELETE ${root}/events/{odd}/delete`, answer: { status: true } },
    { call: `DELETE ${root}/{calendar}/delete`, answer: { status: true } },
    { call: `GET ${root}/events/{weekly}`, status: 404 },
  ])
})

it('analytics are called as in the reference', async () => {
  const root = '/api/v1/analytics'
  const zeros = { total_messages: 0, total_chats: 0, total_models: 0, total_users: 0 }
  const now = Math.floor(Date.now() / 1000)
  const span = `start_date=${now - 7200}&end_date=${now + 60}`
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
  const chat = {
    title: 'Figures',
    history: {
      currentId: 'b',
      messages: {
        a: { id: 'a', role: 'user', content: 'Why?', childrenIds: ['b'], timestamp: now },
        b: {
          id: 'b',
          parentId: 'a',
          role: 'assistant',
          model: 'text',
          content: 'So.',
          childrenIds: [],
          done: true,
          usage,
          timestamp: now,
        },
      },
    },
  }
  const message = words(
    'id chat_id user_id role parent_id content output model_id files sources embeds done status_history error usage created_at updated_at',
  )
  const sums = { total_input_tokens: 3, total_output_tokens: 4, total_tokens: 7 }
  const by = (as: Who, path: string, more: Omit<Row, 'call'>): Row => ({
    as,
    call: `GET ${root}/${path}`,
    ...more,
  })
  const day = /^\d{4}-\d\d-\d\d$/
  const hour = /^\d{4}-\d\d-\d\d \d\d:00$/
  const dated = (date: RegExp): unknown => ({
    data: expect.arrayContaining([
      containing({ date: expect.stringMatching(date), models: { text: 1 } }),
    ]),
  })
  await play([
    { call: 'POST /api/v1/chats/new', body: { chat }, keep: 'chat' },
    by('owner', 'summary', { status: 401 }),
    by('admin', 'summary', {
      answer: { total_messages: 1, total_chats: 1, total_models: 1, total_users: 1 },
    }),
    by('admin', 'summary?group_id=none', { answer: zeros }),
    by('admin', 'summary?start_date=1&end_date=2', { answer: zeros }),
    by('admin', 'models', { answer: { models: [{ model_id: 'text', count: 1 }] } }),
    by('admin', 'users?limit=50', {
      answer: {
        users: [containing({ name: 'Bob', email: 'bob@example.com', count: 1, ...usage })],
      },
    }),
    by('admin', `daily?granularity=odd&${span}`, { answer: dated(day) }),
    by('admin', `daily?granularity=hourly&${span}`, { answer: dated(hour) }),
    by('admin', 'tokens', {
      answer: containing({
        models: [containing({ model_id: 'text', message_count: 1, ...usage })],
        ...sums,
      }),
    }),
    by('admin', 'messages', { answer: [] }),
    by('admin', 'messages?chat_id={chat}&limit=1', {
      answer: [expect.toSatisfy((each: object) => message.every((key) => key in each))],
    }),
    by('admin', 'messages?limit=101', { status: 422 }),
    by('admin', 'models/text/chats', {
      answer: {
        chats: [containing({ chat_id: expect.any(String), user_name: 'Bob', first_message: null })],
        total: 1,
      },
    }),
    by('admin', 'models/text/overview?days=7', {
      answer: {
        history: Array.from({ length: 8 }, () => ({ date: expect.any(String), won: 0, lost: 0 })),
        tags: [],
      },
    }),
  ])
})

it('audio is called as in the reference', async () => {
  const root = '/api/v1/audio'
  const speech = { input: 'Hello', voice: 'nova' }
  await play([
    { call: `GET ${root}/config`, status: 401 },
    {
      as: 'admin',
      call: `GET ${root}/config`,
      answer: {
        tts: containing({ ENGINE: '', MODEL: 'tts-1', VOICE: 'alloy', SPLIT_ON: 'punctuation' }),
        stt: containing({
          ENGINE: '',
          WHISPER_MODEL: 'base',
          ALLOWED_EXTENSIONS: words('mp3 wav m4a webm ogg flac mp4 mpga mpeg'),
        }),
      },
    },
    { as: 'admin', call: `POST ${root}/config/update`, body: { tts: {} }, status: 422 },
    { call: `POST ${root}/speech`, body: speech, status: 404 },
    { call: `GET ${root}/models`, answer: { models: [] } },
    { call: `GET ${root}/voices`, answer: { voices: [] } },
  ])
  await test.server.context.settings.update({
    AUDIO_TTS_ENGINE: 'openai',
    AUDIO_STT_ENGINE: 'openai',
  })
  await play([
    { call: `POST ${root}/speech`, body: speech },
    { call: `POST ${root}/speech`, body: { input: 7 } },
    { call: `POST ${root}/speech`, body: {} },
    {
      call: `GET ${root}/voices`,
      answer: {
        voices: expect.arrayContaining([{ id: expect.any(String), name: expect.any(String) }]),
      },
    },
    ...['recording.m4a', 'recording.mp4'].map((filename): Row => ({
      call: `POST ${root}/transcriptions`,
      form: { filename, type: 'audio/mp4' },
      answer: { text: expect.any(String), filename: expect.any(String) },
    })),
    { call: `POST ${root}/transcriptions`, form: { filename: 'a.m4a', type: 'audio/x-m4a' } },
    {
      call: `POST ${root}/transcriptions`,
      form: { filename: 'a.txt', type: 'audio/wav' },
      status: 400,
    },
    {
      call: `POST ${root}/transcriptions`,
      form: { filename: 'a', type: 'audio/wav' },
      status: 400,
    },
    {
      call: `POST ${root}/transcriptions`,
      form: { filename: 'a.mp4', type: 'video/mp4' },
      status: 400,
    },
    // There 400, but the SDK for Node declares no other type (COMPATIBILITY.md).
    {
      call: `POST ${root}/transcriptions`,
      form: { filename: 'a.wav', type: 'application/octet-stream' },
    },
  ])
})
