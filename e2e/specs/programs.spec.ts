import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeProgram } from '../../server/testing/write-program.ts'
import { addAccount, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'

interface Program {
  readonly folder: string
  readonly port: number
}

/** A gateway without connections, on a computer where a runtime is installed but not running. */
const test = base.extend<{ program: Program; own: TestGateway }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  program: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-programs-'))
    writeProgram(folder, 'ollama')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    await use({ folder, port })
    rmSync(folder, { recursive: true })
  },
  own: async ({ startOwnGateway, program, page }, use) => {
    const own = await startOwnGateway({
      OPENAI_API_BASE_URLS: '',
      OPENAI_API_KEYS: '',
      PATH: program.folder,
      OLLAMA_HOST: `127.0.0.1:${program.port}`,
      LOCAL_RUNTIME_PORTS: String(program.port),
    })
    await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
    await use(own)
  },
})

function isServed({ port }: Program): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/api/tags`).then(
    () => true,
    () => false,
  )
}

test('an installed runtime is started from the models page and ended there', async ({
  page,
  own,
  program,
}) => {
  await page.goto(`${own.url}/settings/local-models`)
  const list = page.getByRole('list', { name: 'Programs on this computer' })
  await expect(list).toContainText('not running')
  expect(await isServed(program)).toBe(false)
  await list.scrollIntoViewIfNeeded()
  await page.screenshot({ path: 'out/test-results/programs-light.png' })
  await list.getByRole('button', { name: 'Start Ollama' }).click()
  await expect(list).toContainText('running, started here')
  expect(await isServed(program)).toBe(true)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await list.scrollIntoViewIfNeeded()
  await page.screenshot({ path: 'out/test-results/programs-dark-narrow.png' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await list.getByRole('button', { name: 'End Ollama' }).click()
  await expect(list).toContainText('not running')
  expect(await isServed(program)).toBe(false)
})

test('once started it is offered to be connected', async ({ page, own }) => {
  await page.goto(`${own.url}/settings/connections`)
  await page.getByRole('button', { name: 'Start Ollama' }).click()
  await page.getByRole('button', { name: 'Connect Ollama' }).click()
  await expect(page.getByRole('list', { name: 'Connections' })).toContainText('1 model')
})

test('the connection check starts it, and goes on from there', async ({ page, own, program }) => {
  const reply = await fetch(`${own.url}/api/v1/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      kind: 'runtime',
      name: 'Here',
      url: `http://127.0.0.1:${program.port}`,
    }),
  })
  expect(reply.status).toBe(200)
  await page.goto(`${own.url}/settings/doctor`)
  const result = page.getByRole('region', { name: 'Result of the check' })
  await expect(result.getByText('Ollama is installed but is not')).toBeVisible()
  await page.screenshot({ path: 'out/test-results/programs-doctor.png', fullPage: true })
  await page.getByRole('button', { name: 'Start Ollama' }).click()
  const models = page.locator('[data-step=models]')
  await expect(models).toHaveAttribute('data-verdict', 'good')
  await expect(models).toContainText('It offers 1 model.')
})

test('it does not outlive a gateway that was killed', async ({ page, own, program }) => {
  await page.goto(`${own.url}/settings/local-models`)
  await page.getByRole('button', { name: 'Start Ollama' }).click()
  await expect(page.getByRole('button', { name: 'End Ollama' })).toBeVisible()
  expect(existsSync(path.join(program.folder, 'ollama.pid'))).toBe(true)
  expect(readFileSync(path.join(program.folder, 'ollama.arguments'), 'utf8')).toBe('serve\n')
  await page.goto('about:blank')
  await own.crash()
  await expect.poll(() => isServed(program)).toBe(false)
  await own.restart()
})
