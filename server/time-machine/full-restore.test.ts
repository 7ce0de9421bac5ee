import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import { writeFileSync, readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RestoreProgress, SnapshotLine, TimeMachineStatus } from '#contract/time-machine.ts'
import { createTemporaryFolder, folderOnDisk } from '../testing/create-temporary-folder.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

type Server = Pick<GatewayProcess, 'url'>

async function ask<Answer>(server: Server, call: string, token: string, body?: unknown) {
  const [method, target] = call.split(' ')
  const reply = await fetch(`${server.url}/api/v1/${target}`, {
    method: method!,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, answer: (await reply.json()) as Answer }
}

const enter = async (server: Server, way: 'signup' | 'signin', name: string): Promise<string> =>
  (
    await ask<{ token: string }>(server, `POST auths/${way}`, '', {
      name,
      email: `${name.toLowerCase()}@example.com`,
      password: 'correct horse battery',
    })
  ).answer.token

const createChat = (server: Server, token: string, title: string) =>
  ask(server, 'POST chats/new', token, { chat: { title } })

const titles = async (server: Server, token: string): Promise<string[]> =>
  (await ask<{ title: string }[]>(server, 'GET chats/', token)).answer
    .map(({ title }) => title)
    .toSorted()

const status = async (server: Server, token: string) =>
  (await ask<TimeMachineStatus>(server, 'GET snapshots/', token)).answer

const take = async (server: Server, token: string) =>
  (await ask<SnapshotLine>(server, 'POST snapshots/', token)).answer.id

const restore = (server: Server, token: string, id: string) =>
  ask<RestoreProgress & { detail: string }>(
    server,
    `POST snapshots/${id}/bring-everything-back`,
    token,
  )

/** Returns null while the gateway restarts and does not reply. */
const outcomeOf = async (server: Server, token: string) => {
  try {
    return (await status(server, token)).last_restore
  } catch {
    return null
  }
}

describe('Bringing everything back', { timeout: 180_000 }, () => {
  const open = async (environment: Record<string, string>) => {
    const server = await startGatewayProcess({
      SHUTDOWN_GRACE: '0',
      ENABLE_BUILT_IN_RUNTIME: 'false',
      ...environment,
    })
    onTestFinished(() => server.kill())
    return server
  }

  it('starts the gateway again at the same address with the state of the snapshot, and keeps the state before', async () => {
    const server = await open({ DATA_DIR: createTemporaryFolder() })
    const ada = await enter(server, 'signup', 'Ada')
    await createChat(server, ada, 'Before')
    const id = await take(server, ada)
    await createChat(server, ada, 'Later')
    const begun = await restore(server, ada, id)
    expect(begun).toMatchObject({ status: 200, answer: { snapshot_id: id, step: 'checking' } })
    expect((await restore(server, ada, id)).status).toBe(409)
    await expect
      .poll(() => outcomeOf(server, ada), { timeout: 90_000, interval: 200 })
      .toMatchObject({ snapshot_id: id, problem: null, missing_files: 0 })
    expect(await titles(server, ada)).toEqual(['Before'])
    const kept = (await status(server, ada)).snapshots.find(
      ({ label }) => label === 'before-restore',
    )!
    await restore(server, ada, kept.id)
    await expect
      .poll(() => outcomeOf(server, ada), { timeout: 90_000, interval: 200 })
      .toMatchObject({ snapshot_id: kept.id })
    expect(await titles(server, ada)).toEqual(['Before', 'Later'])
    expect(await server.terminate()).toBe(0)
  })

  it('leaves one state or the other when the process is killed at any time', async () => {
    const environment = { DATA_DIR: createTemporaryFolder(folderOnDisk()) }
    let server = await open(environment)
    const ada = await enter(server, 'signup', 'Ada')
    await createChat(server, ada, 'Before')
    const id = await take(server, ada)
    const isDecided = async (): Promise<boolean> => {
      try {
        return (await status(server, ada)).restore?.step === 'restarting'
      } catch {
        return true
      }
    }
    const backs: boolean[] = []
    const waits = [0, 400, 900, 1500, 'decided'] as const
    for (const wait of waits) {
      await createChat(server, ada, 'Later')
      await restore(server, ada, id)
      if (wait === 'decided') while (!(await isDecided())) await sleep(5)
      else await sleep(wait)
      await server.kill()
      server = await open(environment)
      const found = new Set(await titles(server, ada))
      const { restore: begun, last_restore: last } = await status(server, ada)
      expect(begun).toBeNull()
      const isBack = !found.has('Later')
      backs.push(isBack)
      expect([...found].toSorted()).toEqual(isBack ? ['Before'] : ['Before', 'Later'])
      expect(last?.problem ?? null).toBeNull()
    }
    expect(backs[0]).toBe(false)
    expect(backs.at(-1)).toBe(true)
    expect((await status(server, ada)).snapshots.map(({ label }) => label)).toContain(
      'before-restore',
    )
  })
})

describe('Bringing everything back is refused', { timeout: 60_000 }, () => {
  const open = async (): Promise<TestServer & { ada: string }> => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    return { ...server, ada: await server.signUp('Ada') }
  }
  const failed = async (server: Server, token: string) => {
    await expect
      .poll(async () => (await status(server, token)).restore?.step, { timeout: 30_000 })
      .toBe('failed')
    return (await status(server, token)).restore!
  }

  it('to members, and to administrators that are none any more', async () => {
    const server = await open()
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const bob = await server.signUp('Bob')
    const id = await take(server, server.ada)
    expect((await restore(server, bob, id)).status).toBe(401)
    const { users } = await server.context.users.list({ page: 1 })
    const bobId = users.find(({ name }) => name === 'Bob')!.id
    await server.context.users.update(bobId, { role: 'admin' })
    // Bob is an administrator now, but was not when the snapshot was made.
    const promoted = await enter(server, 'signin', 'Bob')
    expect((await restore(server, promoted, id)).status).toBe(200)
    expect((await failed(server, promoted)).problem).toMatch(/^You were no administrator when/)
    await server.context.users.update(bobId, { role: 'user' })
    const demoted = await enter(server, 'signin', 'Bob')
    expect((await restore(server, promoted, id)).status).toBe(401)
    expect((await restore(server, demoted, id)).status).toBe(401)
    expect((await status(server, demoted)).restore).toBeNull()
    expect((await restore(server, server.ada, 'none')).status).toBe(404)
  })

  it('from a damaged snapshot, in a sentence, and everything is as it was', async () => {
    const server = await open()
    await createChat(server, server.ada, 'Kept')
    const id = await take(server, server.ada)
    const blocks = path.join(server.dataDir, 'snapshots/blocks')
    for (const shelf of readdirSync(blocks))
      for (const name of readdirSync(path.join(blocks, shelf)))
        writeFileSync(path.join(blocks, shelf, name), 'no block')
    await restore(server, server.ada, id)
    expect((await failed(server, server.ada)).problem).toMatch(/^This snapshot is damaged: /)
    expect(await titles(server, server.ada)).toEqual(['Kept'])
    expect(readdirSync(path.join(server.dataDir, 'snapshots'))).not.toContain('restore')
  })
})
