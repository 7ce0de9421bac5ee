import { addAccount, settleIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

/**
 * More than the buffers of both sides hold, so that a refusal arrives while the browser is still
 * sending.
 */
const MEBIBYTES = 20

const REFUSALS = [
  {
    what: 'too large',
    path: '/api/v1/files/',
    name: 'large.txt',
    mebibytes: 2 * MEBIBYTES,
    status: 413,
    words: '30 MB',
  },
  {
    what: 'of a kind that is not taken',
    path: '/api/v1/files/',
    name: 'tool.exe',
    mebibytes: MEBIBYTES,
    status: 400,
    words: '.md, .txt',
  },
  {
    what: 'not for this person',
    path: '/api/v1/pipelines/upload',
    name: 'a.py',
    mebibytes: MEBIBYTES,
    status: 401,
    words: 'administrator',
  },
] as const

test('an upload that is refused while the browser still sends it is answered with its sentence', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({
    RAG_FILE_MAX_SIZE: '30',
    RAG_ALLOWED_FILE_EXTENSIONS: 'md,txt',
  })
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  await page.goto(gateway.url)
  for (const { what, path, name, mebibytes, status, words } of REFUSALS)
    await test.step(what, async () => {
      const reply = await page.evaluate(
        async ({ target, filename, size }) => {
          const form = new FormData()
          form.append('file', new File([new Uint8Array(size)], filename))
          const headers = { 'X-Session-Key': localStorage.getItem('session-key')! }
          const response = await fetch(target, { method: 'POST', body: form, headers })
          return { status: response.status, text: await response.text() }
        },
        { target: path, filename: name, size: mebibytes * 1024 * 1024 },
      )
      expect(reply).toEqual({ status, text: expect.stringContaining(words) })
    })
})
