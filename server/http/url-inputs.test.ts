import { globSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#contract/endpoints.ts'
import { startLibrary } from '../testing/start-library.ts'

/**
 * Treatment of a URL in a request: fetched with the guards for user-supplied URLs, fetched because
 * an administrator configured it, or never fetched.
 */
type Fate = 'guarded' | 'of an administrator' | 'never fetched'

/** Row 16: every endpoint that takes a URL. A new one fails here until its treatment is listed. */
const FATES: Readonly<Record<string, Fate>> = {
  'retrieval.processWeb': 'guarded',
  'images.edit': 'guarded',
  'images.show': 'guarded',
  'code.updateConfig': 'of an administrator',
  'images.updateConfig': 'of an administrator',
  'audio.updateConfig': 'of an administrator',
  'tools.loadAddress': 'of an administrator',
  'functions.loadAddress': 'of an administrator',
  'toolServers.replace': 'of an administrator',
  'toolServers.verify': 'of an administrator',
  'toolServers.register': 'of an administrator',
  'connections.create': 'of an administrator',
  'connections.verify': 'of an administrator',
  'doctor.examine': 'of an administrator',
  'connections.update': 'of an administrator',
  'runtimeProxy.verify': 'of an administrator',
  'runtimeProxy.updateConfig': 'of an administrator',
  'runtimeProxy.download': 'of an administrator',
  'compatibleProxy.verify': 'of an administrator',
  'compatibleProxy.updateConfig': 'of an administrator',
  'pipelines.add': 'of an administrator',
  'configs.updateWebhook': 'of an administrator',
  'webhooks.updateGateway': 'of an administrator',
  'webhooks.updateOwn': 'guarded',
  'eventWebhooks.create': 'of an administrator',
  'eventWebhooks.update': 'of an administrator',
  'eventWebhooks.test': 'of an administrator',
  'eventWebhooks.remove': 'never fetched',
  'ldap.updateServer': 'of an administrator',
  'ldap.verify': 'of an administrator',
  'auths.updateAdminConfig': 'of an administrator',
  'retrieval.updateEmbedding': 'of an administrator',
  'retrieval.tryEngine': 'of an administrator',
  // Pictures are `data:` URLs or URLs of this gateway; others are refused.
  'auths.signup': 'never fetched',
  'auths.addUser': 'never fetched',
  'auths.updateProfile': 'never fetched',
  'users.update': 'never fetched',
  'models.create': 'never fetched',
  'models.update': 'never fetched',
  'models.import': 'never fetched',
  'models.sync': 'never fetched',
  'models.updateConfig': 'never fetched',
  'evaluations.updateConfig': 'never fetched',
  'generation.updateConfig': 'never fetched',
  'auths.createApiKey': 'never fetched',
  // Detail levels of pictures.
  'completions.chatCompletions': 'never fetched',
  // Ids of pictures, not their URLs.
  'images.picture': 'never fetched',
  'images.preview': 'never fetched',
  'images.keepPreview': 'never fetched',
  'images.remove': 'never fetched',
  'images.vary': 'never fetched',
  'channels.receive': 'never fetched',
  'channels.webhookImage': 'never fetched',
  'channels.createWebhook': 'never fetched',
  'channels.updateWebhook': 'never fetched',
  'channels.rotateWebhook': 'never fetched',
  'channels.removeWebhook': 'never fetched',
  // Addresses of this computer to listen on.
  'sharing.turnOn': 'never fetched',
  // Paths of the gateway itself; everything else is ignored.
  'oauth.login': 'never fetched',
}

/** The index of a connection in the administrator's list. */
const NUMBER = /^url_?idx$/i
const NAME =
  /ur[il]s?$|^url|link|href|address|endpoint|webhook|callback|redirect|^src$|^host$|proxy|picture|image/i

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly [key: string]: unknown
}

/** Reports whether a schema has a field at any depth that may hold a URL, judging by its name. */
function takesAddress(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(takesAddress)
  if (typeof schema !== 'object' || schema === null) return false
  const {
    properties = {},
    $defs = {},
    items,
    additionalProperties,
    anyOf,
    oneOf,
    allOf,
  } = schema as JsonSchema
  if (Object.keys(properties).some((name) => NAME.test(name) && !NUMBER.test(name))) return true
  return [
    Object.values(properties),
    Object.values($defs),
    items,
    additionalProperties,
    anyOf,
    oneOf,
    allOf,
  ].some(takesAddress)
}

const taking = allEndpoints.filter((endpoint) =>
  [endpoint.params, endpoint.query, endpoint.body].some(
    (part) => part && takesAddress(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' })),
  ),
)

it('row 16: what becomes of each address that comes with a call is known', () => {
  expect(taking.map(({ id }) => id).toSorted()).toEqual(Object.keys(FATES).toSorted())
})

it('row 16: addresses that are fetched need a signed-in caller, and an administrator where no guard holds', () => {
  const withAuth = (fate: Fate) =>
    taking.filter(({ id }) => FATES[id] === fate).map(({ auth }) => auth)
  expect(new Set(withAuth('guarded'))).toEqual(new Set(['user']))
  expect(new Set(withAuth('of an administrator'))).toEqual(new Set(['admin']))
})

/**
 * Modules from which requests leave the gateway without the guarded fetch: to URLs set by
 * administrators, and to the gateway's own engine.
 */
const DOORS =
  /^(lib|auth\/single-sign-on|providers|runtime-proxy|retrieval\/(reranking|embedding)|requests|tools|code|engine|monitoring|storage\/blobs\/bucket|(audio|images)\/engines|command-line|testing)\//

it('row 16: only those who call the places of administrators open a connection without the guards', () => {
  const server = path.dirname(import.meta.dirname)
  const sources = globSync('**/*.ts', { cwd: server }).filter((file) => !file.endsWith('.test.ts'))
  const callers = sources.filter((file) =>
    /from '[^']*\/outgoing(-fetch)?\.ts'/.test(readFileSync(path.join(server, file), 'utf8')),
  )
  expect(callers.length).toBeGreaterThan(5)
  expect(
    callers.map((file) => file.replaceAll('\\', '/')).filter((file) => !DOORS.test(file)),
  ).toEqual([])
})

it('row 16: no way of naming an address makes the gateway look inside the network for a person', async () => {
  const hits: string[] = []
  const canary = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('inside')
  })
  canary.listen(0, '127.0.0.1')
  await once(canary, 'listening')
  onTestFinished(() => void canary.close())
  const { port } = canary.address() as AddressInfo
  const { call, server } = await startLibrary()
  await server.context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: true })
  const ask = (files: unknown, more: object = {}) =>
    call('owner', '../chat/completions', {
      body: { model: 'guide', messages: [{ role: 'user', content: 'What?' }], files, ...more },
    })
  for (const url of [
    `http://127.0.0.1:${port}/a`,
    `http://localhost:${port}/b`,
    `http://[::ffff:127.0.0.1]:${port}/c`,
    `http://2130706433:${port}/d`,
  ]) {
    for (const target of [
      'retrieval/process/web',
      'retrieval/process/youtube',
      'retrieval/process/web?process=false',
    ])
      expect((await call('owner', target, { body: { url } })).status, target).toBe(400)
    expect((await ask([{ type: 'url', url }])).status).toBe(400)
    expect((await ask([{ url }])).status).toBe(400)
    await ask(undefined, { metadata: { files: [{ type: 'url', url }] } })
    await ask(undefined, {
      messages: [{ role: 'user', content: 'What?', files: [{ type: 'url', url }] }],
    })
    const picture = [{ type: 'image_url', image_url: { url } }]
    await ask([{ type: 'image', url }], { messages: [{ role: 'user', content: picture }] })
    await call('owner', 'folders/', {
      body: { name: url, data: { files: [{ type: 'url', url }] } },
    })
  }
  expect(hits).toEqual([])
})
