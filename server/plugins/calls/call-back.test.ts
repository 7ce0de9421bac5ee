import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { CLIENT, startOpenIdProvider } from '../../testing/start-open-id-provider.ts'
import { callTool, say, startPlugins, type PluginServer } from '../../testing/start-plugins.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

const CALL = `import json
import urllib.error
import urllib.request


def call(request, path, body=None, method=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": request.headers.get("authorization") or "", "Content-Type": "application/json"}
    asked = urllib.request.Request(str(request.base_url) + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=20) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")
`

const TOOL = `${CALL}

class Tools:
    def look(self, __request__=None, __oauth_token__="unset"):
        return json.dumps({
            "headers": dict(__request__.headers),
            "cookies": dict(__request__.cookies),
            "url": str(__request__.url),
            "path": str(__request__.app.url_path_for("get_file_content_by_id", id="f1")),
            "oauth": __oauth_token__,
        })

    def fetch(self, path: str, body: str = "", __request__=None):
        return json.dumps(call(__request__, path, json.loads(body) if body else None))
`

const FILTER = `${CALL}

class Filter:
    def inlet(self, body, __request__=None):
        call(__request__, "api/chat/completions", {"model": "text", "messages": [{"role": "user", "content": "again"}]})
        return body
`

const LANGUAGE = `class Filter:
    def inlet(self, body, __request__=None):
        body["messages"][-1]["content"] = "in " + __request__.headers.get("accept-language", "silence")
        return body
`

interface Seen {
  readonly headers: Record<string, string>
  readonly cookies: Record<string, string>
  readonly url: string
  readonly path: string
  readonly oauth: unknown
}

describe.skipIf(pluginPython === null)('A plugin that calls the gateway back', () => {
  let plugins: PluginServer
  let bob = ''
  beforeAll(async () => {
    plugins = await startPlugins({
      LOG_LEVEL: 'silent',
      ENABLE_OAUTH_PERSISTENT_CONFIG: 'true',
      ENABLE_API_KEYS: 'true',
      ENABLE_API_KEY_LIMITS: 'true',
    })
    bob = await plugins.addUser('Bob')
    await plugins.createTool('caller', TOOL)
    const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    await plugins.api('POST', 'tools/id/caller/access/update', { access_grants: everybody })
  }, 60_000)
  afterAll(() => plugins.close())

  async function run(
    name: string,
    args: Record<string, unknown>,
    { token = bob, headers = {} } = {},
  ): Promise<unknown> {
    plugins.rounds([callTool(name, args)], [say('end')])
    const body = {
      model: 'text',
      messages: [{ role: 'user', content: 'Go' }],
      stream: false,
      tool_ids: ['caller'],
    }
    await (await plugins.raw.complete(body, { token, headers })).json()
    return JSON.parse(plugins.toolTexts()[0]!) as unknown
  }
  const fetched = (path: string, body?: unknown, options?: { token?: string }) =>
    run(
      'fetch',
      { path, ...(body !== undefined && { body: JSON.stringify(body) }) },
      options,
    ) as Promise<[number, Record<string, unknown>]>

  test('sees what the client speaks and where the gateway is, and no credential but one of its own', async () => {
    const headers = {
      'Accept-Language': 'de-CH',
      'User-Agent': 'a program',
      Cookie: 'session=abc',
      'X-Session-Key': 'half of one',
    }
    const seen = (await run('look', {}, { headers })) as Seen
    const { authorization, host, ...others } = seen.headers
    expect(others).toEqual({ 'accept-language': 'de-CH', 'user-agent': 'a program' })
    expect(host).toBe(new URL(plugins.server.url).host)
    expect(authorization).toMatch(/^Bearer call-/)
    expect(authorization).not.toContain(bob)
    expect(seen).toMatchObject({ cookies: {}, path: '/api/v1/files/f1/content', oauth: null })
    expect(seen.url).toBe(`${plugins.server.url}/api/chat/completions`)
  })

  test('gets the provider token of the person where it asks for it, and not what renews it', async () => {
    const provider = await startOpenIdProvider({
      redirectUris: [`${plugins.server.url}/oauth/oidc/callback`],
    })
    provider.people['ada'] = { email: 'ada.sso@example.com' }
    const { settings, auth, users } = plugins.server.context
    const client = {
      OAUTH_CLIENT_ID: CLIENT.id,
      OAUTH_CLIENT_SECRET: CLIENT.secret,
      OPENID_PROVIDER_URL: provider.discoveryUrl,
    }
    await settings.update({ ...client, ENABLE_OAUTH_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const program = new TestBrowser({ isPage: false })
    await program.follow(`${plugins.server.url}/oauth/oidc/login`, `${plugins.server.url}/auth`)
    const { oauth } = (await run('look', {}, { token: program.cookies.get('token')! })) as Seen
    const tokens = (await auth.singleSignOn.sessions.tokensOf({
      userId: (await users.findByEmail('ada.sso@example.com'))!.id,
    }))!
    expect(tokens.refresh_token).not.toBeNull()
    const { refresh_token: _kept, ...handedOut } = tokens
    expect(oauth).toEqual(handedOut)
    await provider.close()
  })

  test('is authorised as the person it runs for', async () => {
    await plugins.createChat('Of Ada')
    const [status, chats] = await fetched('api/v1/chats/')
    expect([status, chats]).toEqual([200, []])
    const chat = await plugins.raw.createChat('Of Bob', { token: bob })
    const [, own] = await fetched('api/v1/chats/')
    expect(own).toMatchObject([{ id: chat.chat_id }])
    const [answered, answer] = await fetched('api/chat/completions', {
      model: 'text',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect([answered, answer]).toMatchObject([200, { object: 'chat.completion' }])
  })

  test('reaches nothing that gives lasting rights, not even for an administrator', async () => {
    for (const path of [
      'api/v1/auths/api_keys',
      'api/v1/auths/admin/config',
      'api/v1/users/',
      'api/v1/plugins/state',
      'api/v1/tools/export',
    ]) {
      expect((await fetched(path, undefined, { token: plugins.token }))[0]).toBe(403)
    }
    await fetched('api/v1/auths/signout', undefined, { token: plugins.token })
    expect(
      (await plugins.server.call('GET', '/api/v1/chats/', { token: plugins.token })).status,
    ).toBe(200)
  })

  test('has a credential that ends with the call', async () => {
    const { headers } = (await run('look', {})) as Seen
    const token = headers['authorization']!.slice('Bearer '.length)
    expect((await plugins.server.call('GET', '/api/v1/chats/', { token })).status).toBe(401)
    expect((await plugins.server.call('GET', '/api/v1/auths/', { token })).status).toBe(401)
  })

  test('can do no more than the key it was asked with', async () => {
    const limits = { name: 'narrow', allowed_endpoints: ['/api/chat/completions'] }
    const { api_key: token } = (await plugins.api('POST', 'auths/api_keys', limits)) as {
      api_key: string
    }
    expect((await fetched('api/v1/chats/', undefined, { token }))[0]).toBe(401)
    const question = { model: 'text', messages: [{ role: 'user', content: 'Hi' }] }
    expect((await fetched('api/chat/completions', question, { token }))[0]).toBe(200)
  })

  test('sees what the client speaks in every dialect', async () => {
    await plugins.createFunction('language', LANGUAGE)
    const messages = [{ role: 'user', content: 'Hello' }]
    const calls = {
      'chat/completions': { messages },
      'v1/messages': { messages, max_tokens: 10 },
      responses: { input: 'Hello' },
    }
    await plugins.withGlobal('language', async () => {
      for (const [path, body] of Object.entries(calls)) {
        const headers = { 'Accept-Language': `de-${path}` }
        await (
          await plugins.server.call('POST', `/api/${path}`, {
            token: bob,
            body: { model: 'text', ...body },
            headers,
          })
        ).text()
        expect(plugins.lastBody()).toMatchObject({ messages: [{ content: `in de-${path}` }] })
      }
    })
  })

  test('that goes round in a circle is stopped', async () => {
    await plugins.createFunction('circle', FILTER)
    plugins.raw.upstream.requests.length = 0
    await plugins.withGlobal('circle', async () => {
      plugins.rounds([say('Hello.')])
      expect((await plugins.complete({})).status).toBe(200)
    })
    expect(plugins.raw.upstream.requests).toHaveLength(5)
  })
})
