import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { Automation, AutomationRun } from '#contract/automations.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const ROOT = '/api/v1/automations'

it('a run that was cut off is told as such at the next start, and the schedule goes on', async () => {
  const upstream = await startFakeCompatible()
  onTestFinished(() => upstream.close())
  const environment = { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: 'sk-0000000000000000' }
  const first = await startTestServer({ environment })
  const { dataDir } = first
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const token = await first.signUp('Ada')
  const ask = async <Answer>(server: TestServer, call: string, body?: unknown): Promise<Answer> => {
    const [method, path] = call.split(' ')
    return (await (
      await server.call(method!, ROOT + path, { token, ...(body !== undefined && { body }) })
    ).json()) as Answer
  }
  await first.call('GET', '/api/models?refresh=true', { token })
  const data = {
    prompt: 'Hello',
    model_id: 'stall',
    rrule: 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY',
    timezone: 'UTC',
  }
  const { id } = await ask<Automation>(first, 'POST /create', { name: 'Slow', data })
  const begun = await ask<Automation>(first, `POST /${id}/run`)
  expect(begun.last_run?.status).toBe('running')
  await first.close({ keep: true })

  const second = await startTestServer({ environment, dataDir })
  const [stopped] = await ask<AutomationRun[]>(second, `GET /${id}/runs`)
  expect(stopped).toMatchObject({ status: 'error', error: 'The gateway stopped while this ran.' })
  // The state a kill leaves behind.
  await second.context.storage
    .prepare("update automation_run set status = 'running', error = null, ended_at = null")
    .run()
  await second.close({ keep: true })

  const third = await startTestServer({ environment, dataDir })
  onTestFinished(() => third.close({ keep: true }))
  const [cut] = await ask<AutomationRun[]>(third, `GET /${id}/runs`)
  expect(cut).toMatchObject({ status: 'error', error: 'The gateway stopped while this ran.' })
  expect(cut!.ended_at).not.toBeNull()
  const after = await ask<Automation>(third, `GET /${id}`)
  expect(after).toMatchObject({ is_active: true, next_run_at: begun.next_run_at })
  expect((await ask<Automation>(third, `POST /${id}/run`)).last_run?.status).toBe('running')
})
