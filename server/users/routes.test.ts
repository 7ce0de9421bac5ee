import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let admin: string
let adminId: string
beforeEach(async () => {
  server = await startTestServer()
  admin = await server.signUp('Ada')
  adminId = (await server.context.users.first())!.id
})
afterEach(() => server.close())

async function call(
  method: string,
  path: string,
  options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
) {
  const reply = await server.call(method, path, { token: admin, ...options })
  const text = await reply.text()
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
    body: (text.startsWith('<') ? null : JSON.parse(text)) as any,
  }
}
const addUser = async (name: string, role = 'user') => {
  const body = { name, email: `${name}@example.org`, password: 'a password', role }
  return (await call('POST', '/api/v1/auths/add', { body })).body as { id: string; token: string }
}

describe('accounts over HTTP', () => {
  it('are listed without anything secret', async () => {
    await addUser('bo')
    const { body } = await call('GET', '/api/v1/users/?query=bo')
    expect(body.total).toBe(1)
    expect(body.users[0]).toMatchObject({
      name: 'bo',
      role: 'user',
      group_ids: [],
      is_active: false,
      is_first: false,
    })
    expect(
      Object.keys(body.users[0]).filter((name) => /pass|hash|token|secret/i.test(name)),
    ).toEqual([])
    for (const query of ['page=0', 'page=-1', 'page=x', `query=${'x'.repeat(300)}`]) {
      expect((await call('GET', `/api/v1/users/?${query}`)).status).toBe(422)
    }
  })

  it('an administrator changes name, address, role and password of others', async () => {
    const { id } = await addUser('bo')
    const body = { name: 'Bob', email: 'BOB@example.org', role: 'admin', password: 'a new one' }
    expect((await call('POST', `/api/v1/users/${id}/update`, { body })).body).toMatchObject({
      name: 'Bob',
      email: 'bob@example.org',
      role: 'admin',
    })
    const signIn = await call('POST', '/api/v1/auths/signin', {
      body: { email: 'bob@example.org', password: 'a new one' },
    })
    expect(signIn.status).toBe(200)
  })

  it('row 102: what they keep about themselves is refused when it is nested too deeply', async () => {
    for (const [levels, refusal] of [
      [150, 400],
      [20_000, 413],
    ] as const) {
      const deep = `{"ui":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`
      for (const path of ['user/settings/update', 'user/info/update']) {
        const { status, body } = await call('POST', `/api/v1/users/${path}`, { body: deep })
        expect([status, body.detail]).toEqual([refusal, expect.stringContaining('levels deep')])
      }
    }
  })

  it('a picture leads to other sites only, never to the gateway itself', async () => {
    const lead = async (address: string): Promise<string | null> => {
      await call('POST', '/api/v1/auths/update/profile', {
        body: { name: 'Ada', profile_image_url: address },
      })
      const headers = { Authorization: `Bearer ${admin}` }
      const reply = await fetch(`${server.url}/api/v1/users/${adminId}/profile/image`, {
        redirect: 'manual',
        headers,
      })
      return reply.headers.get('location')
    }
    expect(await lead('https://pictures.example/ada.png')).toBe('https://pictures.example/ada.png')
    expect(await lead(`${server.url}/api/v1/auths/signout`)).toBeNull()
  })

  it('row 60: ignores id and creation time in an update', async () => {
    const { id } = await addUser('bo')
    const reply = await call('POST', `/api/v1/users/${id}/update`, {
      body: { name: 'Bob', id: adminId, created_at: 1, is_first: 1 },
    })
    expect(reply.body).toMatchObject({ id, name: 'Bob' })
    expect(reply.body.created_at).toBeGreaterThan(1)
  })

  it('the first admin is changed by nobody else, keeps the role and cannot be deleted', async () => {
    const second = await addUser('bo', 'admin')
    const change = (body: object, token: string) =>
      call('POST', `/api/v1/users/${adminId}/update`, { body, token })
    expect((await change({ password: 'taken over' }, second.token)).status).toBe(403)
    expect((await change({ email: 'taken@example.org' }, second.token)).status).toBe(403)
    expect((await change({ role: 'user' }, admin)).status).toBe(403)
    expect((await change({ name: 'Countess' }, admin)).status).toBe(200)
    expect((await call('DELETE', `/api/v1/users/${adminId}`, { token: second.token })).status).toBe(
      403,
    )
  })

  it('nobody deletes the own account; deleting another takes its chats along', async () => {
    const second = await addUser('bo', 'admin')
    expect(
      (await call('DELETE', `/api/v1/users/${second.id}`, { token: second.token })).status,
    ).toBe(403)
    const chat = await call('POST', '/api/v1/chats/new', {
      body: { chat: { title: 'Mine' } },
      token: second.token,
    })
    expect(chat.status).toBe(200)
    expect((await call('DELETE', `/api/v1/users/${second.id}`)).body).toBe(true)
    const { storage } = server.context
    await expect
      .poll(() => storage.all(storage.builder.selectFrom('chat').select('id')))
      .toEqual([])
    expect((await call('DELETE', `/api/v1/users/${second.id}`)).status).toBe(404)
  })

  it('unknown accounts answer 404', async () => {
    for (const path of ['/api/v1/users/none', '/api/v1/users/none/profile/image'])
      expect((await call('GET', path)).status).toBe(404)
    expect((await call('POST', '/api/v1/users/none/update', { body: {} })).status).toBe(404)
  })
})

describe('interface settings', () => {
  const PATH = '/api/v1/users/user/settings'

  it('are null at first and replaced as a whole', async () => {
    expect((await call('GET', PATH)).body).toBeNull()
    expect(
      (await call('POST', `${PATH}/update`, { body: { ui: { theme: 'dark', a: 1 } } })).body,
    ).toEqual({ ui: { theme: 'dark', a: 1 } })
    await call('POST', `${PATH}/update`, { body: { ui: { theme: 'light' } } })
    expect((await call('GET', PATH)).body).toEqual({ ui: { theme: 'light' } })
  })

  it('belong to one user', async () => {
    const { token } = await addUser('bo')
    await call('POST', `${PATH}/update`, { body: { ui: { theme: 'dark' } } })
    expect((await call('GET', PATH, { token })).body).toBeNull()
  })

  it('answer 413 beyond 256 KiB and 422 for something else', async () => {
    expect(
      (await call('POST', `${PATH}/update`, { body: { ui: { text: 'x'.repeat(300_000) } } }))
        .status,
    ).toBe(413)
    expect((await call('POST', `${PATH}/update`, { body: { ui: [] } })).status).toBe(422)
    expect((await call('POST', `${PATH}/update`, { body: '[' })).status).toBe(422)
  })

  it('row 101: keys such as __proto__ are only data', async () => {
    const reply = await call('POST', `${PATH}/update`, {
      body: '{"ui":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    })
    expect([200, 400, 422]).toContain(reply.status)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((await call('GET', PATH)).status).toBe(200)
  })
})

describe('the profile image', () => {
  const DRAWINGS = { accept: 'image/svg+xml' }

  it('row 24: is drawn here and inert when opened as a page', async () => {
    const { id } = await addUser('bo')
    await server.context.users.update(id, { name: '"><script>alert(1)</script>' })
    const reply = await call('GET', `/api/v1/users/${id}/profile/image`, { headers: DRAWINGS })
    expect(reply.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.text).toContain('>S</text>')
    expect(reply.text).not.toContain('script')
  })

  it.each(['😀', '…', '-- --'])('is drawn without a letter for a name such as %j', async (name) => {
    await server.context.users.update(adminId, { name })
    expect(
      (await call('GET', `/api/v1/users/${adminId}/profile/image`, { headers: DRAWINGS })).text,
    ).toContain('></text>')
  })
})
