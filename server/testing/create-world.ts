import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import type { Role } from '#contract/common.ts'
import { startTestServer, type TestServer } from './start-server.ts'

export const PASSWORD = 'one password for all'
/** Of the system that provisions accounts. */
export const PROVISIONING_TOKEN = 'a-token-for-provisioning'

export type SignedIn = 'owner' | 'other' | 'pending' | 'admin'

/** The whole gateway with one caller of each kind, and things that belong to the owner. */
export interface World {
  readonly server: TestServer
  readonly tokens: Readonly<
    Record<SignedIn | 'deleted' | 'deletedKey' | 'restrictedKey' | 'scopedKey', string>
  >
  readonly ids: Readonly<Record<SignedIn, string>>
  /**
   * The session of the owner's token as a browser holds it: the cookie, and the half its page
   * keeps.
   */
  readonly browser: { readonly cookie: string; readonly key: string }
  newChat(): Promise<string>
  newUser(): string
  newKey(): Promise<string>
  newGroup(): string
  /** A further session of the owner, by its id. */
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

let counter = 0

export async function createWorld(): Promise<World> {
  const server = await startTestServer({
    environment: {
      ENABLE_API_KEYS: 'true',
      ENABLE_CHANNELS: 'true',
      ENABLE_API_KEY_LIMITS: 'true',
      USER_PERMISSIONS_FEATURES_API_KEYS: 'true',
      ENABLE_SCIM: 'true',
      SCIM_TOKEN: PROVISIONING_TOKEN,
    },
    // Without the interface there is no page that answers 200 to an address nobody knows.
    config: { uiDir: null },
  })
  const { groups, users, settings } = server.context
  const rootToken = await server.signUp('Root')
  const passwordHash = await users.hashPassword(PASSWORD)
  const addUser = (name: string, role: Role) =>
    users.create({ name, email: `${name}@example.com`, role, passwordHash }).id
  const enter = (
    name: SignedIn | 'deleted',
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    server.call('POST', '/api/v1/auths/signin', {
      body: { email: `${name}@example.com`, password: PASSWORD },
      headers,
    })
  const signIn = async (name: SignedIn | 'deleted'): Promise<string> =>
    ((await (await enter(name)).json()) as { token: string }).token
  const ids = {
    owner: addUser('owner', 'user'),
    other: addUser('other', 'user'),
    pending: addUser('pending', 'pending'),
    admin: addUser('admin', 'admin'),
  }
  const deletedId = addUser('deleted', 'user')
  const entered = await enter('owner', { 'Sec-Fetch-Site': 'same-origin' })
  const browser = {
    cookie: entered.headers.getSetCookie()[0]!.split(';', 1)[0]!,
    key: entered.headers.get(SESSION_KEY_HEADER)!,
  }
  const tokens = {
    owner: ((await entered.json()) as { token: string }).token,
    other: await signIn('other'),
    pending: await signIn('pending'),
    admin: await signIn('admin'),
    deleted: await signIn('deleted'),
  }
  const addKey = async (
    token: string,
    limits: object = {},
  ): Promise<{ id: string; api_key: string }> => {
    const reply = await server.call('POST', '/api/v1/auths/api_keys', {
      body: { name: 'key', ...limits },
      token,
    })
    return (await reply.json()) as { id: string; api_key: string }
  }
  const deletedKey = (await addKey(tokens.deleted)).api_key
  await server.call('DELETE', `/api/v1/users/${deletedId}`, { token: rootToken })
  const restrictedKey = (await addKey(tokens.owner)).api_key
  const scopedKey = (await addKey(tokens.owner, { allowed_endpoints: ['/api/nothing'] })).api_key
  settings.update({
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true,
    API_KEYS_ALLOWED_ENDPOINTS: ['/api/nothing'],
  })
  return {
    server,
    ids,
    browser,
    tokens: { ...tokens, deletedKey, restrictedKey, scopedKey },
    newChat: async () => {
      const reply = await server.call('POST', '/api/v1/chats/new', {
        body: CHAT_BODY,
        token: tokens.owner,
      })
      return ((await reply.json()) as { id: string }).id
    },
    newUser: () => addUser(`someone${(counter += 1)}`, 'user'),
    newKey: async () => (await addKey(tokens.owner)).id,
    newGroup: () =>
      groups.create(ids.admin, {
        name: 'Team',
        description: '',
        permissions: {},
        data: {},
        meta: {},
      }).id,
    newSession: async () => {
      await signIn('owner')
      const reply = await server.call('GET', '/api/v1/auths/sessions', { token: tokens.owner })
      return ((await reply.json()) as { id: string; current: boolean }[]).find(
        ({ current }) => !current,
      )!.id
    },
  }
}
