import { describe, expect, it } from 'vitest'
import { toolServerInputSchema, type ToolServer } from '#contract/tool-servers.ts'
import { fromLines, idOf, NEW_SERVER, toDraft, toInput, toRegistration } from './server-draft.ts'

const stored: ToolServer = {
  type: 'mcp',
  url: 'https://tools.example.org/mcp',
  path: 'openapi.json',
  auth_type: 'bearer',
  key: '********',
  headers: { 'X-Team': 'bakers: all' },
  config: {
    enable: false,
    access_grants: [],
    access_control: null,
    function_name_filter_list: '!delete',
    approval: 'changes',
  },
  info: { id: 'issues', name: 'Issues', description: 'The tracker', oauth_client_info: 'sealed' },
  spec_type: 'url',
  spec: '',
  command: '',
  args: [],
  origin: 'stored',
  env: {},
}

it('a stored server comes back from its form as it was', () => {
  const { origin: _origin, ...kept } = stored
  const { access_control: _, ...config } = stored.config
  expect(toInput(toDraft(stored))).toEqual({ ...kept, config })
})

it('what belongs to another kind is not sent', () => {
  const program = toInput({
    ...toDraft(stored),
    kind: 'program',
    command: 'npx',
    arguments: '-y\nserver memory\n',
    environment: 'A=1=2',
  })
  expect(program).toMatchObject({
    type: 'mcp',
    url: '',
    key: '',
    headers: {},
    command: 'npx',
    args: ['-y', 'server memory'],
    env: { A: '1=2' },
  })
})

it('an empty form is what the gateway takes', () => {
  expect(
    toolServerInputSchema.safeParse(
      toInput({ ...NEW_SERVER, name: 'Weather', url: 'http://127.0.0.1:1' }),
    ).success,
  ).toBe(true)
})

it('lines without a mark are left out', () => {
  expect(fromLines('A: b\n\nnothing\n: c', ':')).toEqual({ A: 'b' })
})

describe('the sign-in of a server', () => {
  const signIn = {
    clientId: 'me',
    clientSecret: 'secret',
    serverUrl: '',
    scope: ' notes ',
    resource: '',
  }
  const draft = {
    ...NEW_SERVER,
    kind: 'mcp',
    name: 'My Ticket Desk!',
    url: 'https://desk.test/mcp',
    signIn,
  } as const

  it('is known by the id the server will have', () => {
    expect(idOf(draft)).toBe('my-ticket-desk')
    expect(idOf({ id: ' desk ', name: 'x' })).toBe('desk')
    expect(idOf({ id: '', name: '…' })).toBe('server')
    expect(toInput({ ...draft, authType: 'oauth_2.1_static' }).info.id).toBe('my-ticket-desk')
    expect(toInput({ ...draft, authType: 'bearer' }).info.id).toBe('')
  })

  it('is registered with what was typed, and a client only where it was made by hand', () => {
    const common = {
      url: 'https://desk.test/mcp',
      client_id: 'my-ticket-desk',
      oauth_server_url: null,
      oauth_scope: 'notes',
      oauth_resource: null,
    }
    expect(toRegistration({ ...draft, authType: 'oauth_2.1_static' })).toEqual({
      ...common,
      oauth_client_id: 'me',
      client_secret: 'secret',
    })
    expect(toRegistration({ ...draft, authType: 'oauth_2.1' })).toEqual({
      ...common,
      oauth_client_id: null,
      client_secret: null,
    })
  })

  it('keeps what is stored when nothing was typed, and is nothing of other servers', () => {
    expect(
      toRegistration({ ...draft, authType: 'oauth_2.1', signIn: NEW_SERVER.signIn }),
    ).toBeNull()
    expect(toRegistration({ ...draft, authType: 'bearer' })).toBeNull()
    expect(toRegistration({ ...draft, kind: 'program', authType: 'oauth_2.1' })).toBeNull()
  })
})
