import { beforeEach, expect, it } from 'vitest'
import { fakeGateway } from '../testing/fake-gateway.ts'
import { createFileUploads } from './file-uploads.ts'
import { forgetLimits, refusalOf } from './upload-limits.ts'

const limits = { max_file_bytes: 1024, max_count: null, allowed_extensions: ['pdf', 'md'] }

beforeEach(forgetLimits)

it('says what a file is too large for, and which kinds are taken', () => {
  expect(refusalOf({ name: 'a.pdf', size: 1024 }, limits)).toBeNull()
  expect(refusalOf({ name: 'A.PDF', size: 5 }, limits)).toBeNull()
  expect(refusalOf({ name: 'a.pdf', size: 2048 }, limits)).toBe(
    'This file is 2 kB. The limit is 1 kB.',
  )
  expect(refusalOf({ name: 'a.exe', size: 5 }, limits)).toContain('pdf, md')
  expect(refusalOf({ name: 'Makefile', size: 5 }, limits)).toContain('pdf, md')
  expect(refusalOf({ name: 'Makefile', size: 5 }, { ...limits, allowed_extensions: [] })).toBeNull()
})

it('sends no byte of a file the gateway would refuse', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/files/usage': { count: 0, bytes: 0, quota_bytes: null, ...limits },
  })
  const uploads = createFileUploads()
  uploads.add([new File(['x'.repeat(2000)], 'a.pdf')])
  await expect
    .poll(() => uploads.store.getState().uploads[0])
    .toMatchObject({ state: 'failed', fileId: null })
  expect(uploads.store.getState().uploads[0]!.problem).toContain('1 kB')
  expect(gateway.calls.map(({ method }) => method)).toEqual(['GET'])
})
