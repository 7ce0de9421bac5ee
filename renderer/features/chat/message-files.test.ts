import { expect, it } from 'vitest'
import { toShownFile } from './message-files.tsx'

it('files are read in every shape clients write, and only those of this gateway get an address', () => {
  expect(toShownFile({ type: 'file', name: 'a.pdf', url: '/api/v1/files/12-ab' }, 'File')).toEqual({
    name: 'a.pdf',
    url: '/api/v1/files/12-ab',
    isImage: false,
  })
  expect(toShownFile({ type: 'image', url: 'data:image/png;base64,AA' }, 'File')).toMatchObject({ name: 'File', isImage: true })
  expect(toShownFile({ file: { filename: 'b.txt' } }, 'File').name).toBe('b.txt')
  const elsewhere = [
    'https://elsewhere.example/x.png',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    'javascript:1',
  ]
  for (const url of [...elsewhere, 'data:image/svg+xml;base64,AA']) expect(toShownFile({ url }, 'File').url).toBeNull()
  expect(toShownFile(null, 'File')).toEqual({ name: 'File', url: null, isImage: false })
})
