import { expect, it } from 'vitest'
import { toShownFile } from './shown-file.ts'

it('files are read in every shape clients write, and only those of this gateway get an address', () => {
  expect(
    toShownFile({ type: 'file', name: 'a.pdf', url: '/api/v1/files/12-ab' }, 'File'),
  ).toMatchObject({
    name: 'a.pdf',
    url: '/api/v1/files/12-ab',
    isImage: false,
    id: '12-ab',
  })
  expect(toShownFile({ type: 'image', url: 'data:image/png;base64,AA' }, 'File')).toMatchObject({
    name: 'File',
    isImage: true,
  })
  expect(toShownFile({ file: { filename: 'b.txt' } }, 'File').name).toBe('b.txt')
  const elsewhere = [
    'https://elsewhere.example/x.png',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    'javascript:1',
  ]
  for (const url of [...elsewhere, 'data:image/svg+xml;base64,AA'])
    expect(toShownFile({ url }, 'File').url).toBeNull()
  expect(toShownFile(null, 'File')).toMatchObject({
    name: 'File',
    url: null,
    isImage: false,
    kind: 'file',
    id: null,
    page: null,
    text: null,
  })
})

it('a page leads to web addresses only, and a text carries itself', () => {
  expect(
    toShownFile({ type: 'url', id: 'https://a.example/b', url: 'https://a.example/b' }, 'Page'),
  ).toMatchObject({
    kind: 'url',
    page: 'https://a.example/b',
    url: null,
    id: null,
  })
  expect(toShownFile({ type: 'url', url: 'javascript:alert(1)' }, 'Page').page).toBeNull()
  expect(toShownFile({ type: 'text', id: 'paste-1', content: 'Words' }, 'Text')).toMatchObject({
    kind: 'text',
    text: 'Words',
    id: null,
  })
  expect(toShownFile({ type: 'note', id: 'n1' }, 'Note')).toMatchObject({ kind: 'note', id: 'n1' })
  expect(toShownFile({ type: 'file', id: 'f1', error: 'Locked.' }, 'File')).toMatchObject({
    id: 'f1',
    problem: 'Locked.',
  })
})
