import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import type { Role } from '#contract/common.ts'
import { startTestServer, type TestServer } from './start-server.ts'

export const PASSWORD = 'one password for all'
/** Token of the provisioning system. */
export const PROVISIONING_TOKEN = 'a-token-for-provisioning'

export type SignedIn = 'owner' | 'other' | 'pending' | 'admin'

/** The whole gateway with one caller of each kind, and objects that belong to the owner. */
export interface World {
  readonly server: TestServer
  readonly tokens: Readonly<
    Record<SignedIn | 'deleted' | 'deletedKey' | 'restrictedKey' | 'scopedKey', string>
  >
  readonly ids: Readonly<Record<SignedIn, string>>
  /** The owner's session as a browser holds it: the cookie, and the key half stored by the page. */
  readonly browser: { readonly cookie: string; readonly key: string }
  newChat(): Promise<string>
  newUser(): Promise<string>
  newKey(): Promise<string>
  newGroup(): Promise<string>
  /** Creates a further session of the owner; resolves with its id. */
  newSession(): Promise<string>
}

export const CHAT_BODY = {
  chat: {
    title: 'A chat',
    models: ['guide'],
    history: {
      currentId: 'm1',
      messages: {
        m1: {
          id: 'm1',
          parentId: null,
          childrenIds: [],
          role: 'user',
          content: 'Hello',
          timestamp: 1,
        },
      },
    },
  },
}

const ENVIRONMENT = {
  ENABLE_API_KEYS: 'true',
  ENABLE_CHANNELS: 'true',
  USER_PERMISSIONS_FEATURES_AUTOMATIONS: 'true',
  ENABLE_API_KEY_LIMITS: 'true',
  USER_PERMISSIONS_FEATURES_API_KEYS: 'true',
  ENABLE_SCIM: 'true',
  SCIM_TOKEN: PROVISIONING_TOKEN,
}

const read = async <Body>(reply: Response): Promise<Body> => (await reply.json()) as Body

/** Adds accounts with the same password to a gateway, and signs them in. */
async function openAccounts(server: TestServer) {
  const { users } = server.context
  const passwordHash = await users.hashPassword(PASSWORD)
  const add = async (name: string, role: Role): Promise<string> =>
    (await users.create({ name, email: `${name}@example.com`, role, passwordHash })).id
  const enter = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
    server.call('POST', '/api/v1/auths/signin', {
      body: { email: `${name}@example.com`, password: PASSWORD },
      headers,
    })
  const signIn = async (name: string): Promise<string> =>
    (await read<{ token: string }>(await enter(name))).token
  return { add, enter, signIn }
}

const addKey = async (
  server: TestServer,
  token: string,
  limits: object = {},
): Promise<{ id: string; api_key: string }> =>
  read(
    await server.call('POST', '/api/v1/auths/api_keys', {
      body: { name: 'key', ...limits },
      token,
    }),
  )

/** Returns the owner's session as a browser and as an API client hold it. */
async function enterAsBrowser(reply: Response) {
  const browser = {
    cookie: reply.headers.getSetCookie()[0]!.split(';', 1)[0]!,
    key: reply.headers.get(SESSION_KEY_HEADER)!,
  }
  return { browser, token: (await read<{ token: string }>(reply)).token }
}

let counter = 0

export async function createWorld(): Promise<World> {
  // Without the UI no page responds with 200 to unknown URLs.
  const server = await startTestServer({ environment: ENVIRONMENT, config: { uiDir: null } })
  const { groups, settings } = server.context
  const rootToken = await server.signUp('Root')
  const accounts = await openAccounts(server)
  const ids = {
    owner: await accounts.add('owner', 'user'),
    other: await accounts.add('other', 'user'),
    pending: await accounts.add('pending', 'pending'),
    admin: await accounts.add('admin', 'admin'),
  }
  const deletedId = await accounts.add('deleted', 'user')
  const { browser, token } = await enterAsBrowser(
    await accounts.enter('owner', { 'Sec-Fetch-Site': 'same-origin' }),
  )
  const tokens = {
    owner: token,
    other: await accounts.signIn('other'),
    pending: await accounts.signIn('pending'),
    admin: await accounts.signIn('admin'),
    deleted: await accounts.signIn('deleted'),
  }
  const deletedKey = (await addKey(server, tokens.deleted)).api_key
  await server.call('DELETE', `/api/v1/users/${deletedId}`, { token: rootToken })
  const restrictedKey = (await addKey(server, token)).api_key
  const scopedKey = (await addKey(server, token, { allowed_endpoints: ['/api/nothing'] })).api_key
  await settings.update({
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true,
    API_KEYS_ALLOWED_ENDPOINTS: ['/api/nothing'],
  })
  return {
    server,
    ids,
    browser,
    tokens: { ...tokens, deletedKey, restrictedKey, scopedKey },
    newChat: async () => {
      const reply = await server.call('POST', '/api/v1/chats/new', { body: CHAT_BODY, token })
      return (await read<{ id: string }>(reply)).id
    },
    newUser: () => accounts.add(`someone${(counter += 1)}`, 'user'),
    newKey: async () => (await addKey(server, token)).id,
    newGroup: async () =>
      (
        await groups.create(ids.admin, {
          name: 'Team',
          description: '',
          permissions: {},
          data: {},
          meta: {},
        })
      ).id,
    newSession: async () => {
      await accounts.signIn('owner')
      const reply = await server.call('GET', '/api/v1/auths/sessions', { token })
      const sessions = await read<{ id: string; current: boolean }[]>(reply)
      return sessions.find(({ current }) => !current)!.id
    },
  }
}
