import type { PoisonedDocument } from './poisoned-document.ts'

const MEBIBYTE = 1024 * 1024

export const poisonedTexts: readonly PoisonedDocument[] = [
  { filename: 'one-line.csv', outcome: 'refused', build: () => Buffer.alloc(150 * MEBIBYTE, 'a') },
  {
    filename: 'open-quote.csv',
    outcome: 'refused',
    build: () =>
      Buffer.concat([Buffer.from('a,b\n1,"'), Buffer.alloc(60 * MEBIBYTE, 'word, and\n')]),
  },
  { filename: 'many-cells.csv', outcome: 'refused', build: () => Buffer.alloc(8 * MEBIBYTE, ',') },
  { filename: 'only-quotes.csv', outcome: 'any', build: () => Buffer.alloc(8 * MEBIBYTE, '"') },
  {
    filename: 'deep.html',
    outcome: 'any',
    build: () => Buffer.from(`<html><body><p>kept</p>${'<div>'.repeat(100_000)}deep`),
  },
  {
    filename: 'deep-inline.html',
    outcome: 'any',
    build: () => Buffer.from(`<p>kept</p>${'<b><i>'.repeat(100_000)}deep`),
  },
  {
    filename: 'open-links.html',
    outcome: 'read',
    build: () => Buffer.from(`<p>kept</p>${'<a href="http://x.example/">x'.repeat(50_000)}`),
  },
  {
    filename: 'huge-attribute.html',
    outcome: 'any',
    build: () =>
      Buffer.concat([Buffer.from('<p>kept</p><img alt="'), Buffer.alloc(60 * MEBIBYTE, 'word ')]),
  },
  {
    filename: 'outside.html',
    outcome: 'read',
    absent: 'alert(',
    build: (canary) =>
      Buffer.from(
        `<html><head><base href="${canary}/"><link rel="stylesheet" href="${canary}/a.css"><meta http-equiv="refresh" content="0;url=${canary}/b"><script src="${canary}/c.js"></script><script>alert(1)</script></head><body onload="fetch('${canary}/d')"><p>kept</p><img src="${canary}/e.png"><iframe src="${canary}/f"></iframe></body></html>`,
      ),
  },
  {
    filename: 'script.svg',
    outcome: 'read',
    build: (canary) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg"><script href="${canary}/a.js"/><image href="${canary}/b.png"/><text>kept</text></svg>`,
      ),
  },
  {
    filename: 'outside.xml',
    outcome: 'read',
    absent: 'root:',
    build: (canary) =>
      Buffer.from(
        `<!DOCTYPE a SYSTEM "${canary}/a.dtd" [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>kept &b;</a>`,
      ),
  },
  {
    filename: 'deep.rtf',
    outcome: 'any',
    build: () => Buffer.from(`{\\rtf1 kept ${'{'.repeat(3_000_000)}deep`),
  },
  {
    filename: 'binary.rtf',
    outcome: 'any',
    build: () => Buffer.from('{\\rtf1 kept {\\pict\\bin2147483647 abc}\\par more}'),
  },
  {
    filename: 'backslashes.rtf',
    outcome: 'any',
    build: () => Buffer.concat([Buffer.from('{\\rtf1 kept '), Buffer.alloc(10 * MEBIBYTE, '\\')]),
  },
  {
    filename: 'nested.eml',
    outcome: 'any',
    build: () =>
      Buffer.from(
        `From: a@x.example\nSubject: kept\n${Array.from({ length: 20_000 }, (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`).join('')}`,
      ),
  },
  {
    filename: 'attachment.eml',
    outcome: 'any',
    build: () =>
      Buffer.concat([
        Buffer.from(
          'From: a@x.example\nSubject: kept\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n',
        ),
        Buffer.alloc(38 * MEBIBYTE, `${'QUFB'.repeat(19)}\n`),
      ]),
  },
  {
    filename: 'deep.ipynb',
    outcome: 'refused',
    build: () => Buffer.from(`{"cells":${'['.repeat(5_000_000)}`),
  },
  {
    filename: 'wrong-shapes.ipynb',
    outcome: 'any',
    build: () =>
      Buffer.from(
        '{"cells":[null,7,{"cell_type":"code","source":{"a":1},"outputs":"x"}],"metadata":[]}',
      ),
  },
  {
    filename: 'no-end.srt',
    outcome: 'any',
    build: () => Buffer.alloc(60 * MEBIBYTE, '00:00:01,000 --> 00:00:02,000\nword\n'),
  },
  { filename: 'zeros.txt', outcome: 'refused', build: () => Buffer.alloc(20 * MEBIBYTE) },
  {
    filename: 'halves.txt',
    outcome: 'read',
    build: () =>
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.alloc(2 * MEBIBYTE, Buffer.from([0x00, 0xd8, 0x61, 0x00])),
      ]),
  },
  {
    filename: 'one-line.json',
    outcome: 'read',
    build: () => Buffer.alloc(60 * MEBIBYTE, '[{"a":1},'),
  },
  {
    filename: 'combining.txt',
    outcome: 'any',
    build: () => Buffer.from(`kept a${'\u0301'.repeat(3_000_000)}`),
  },
  {
    filename: 'picture.txt',
    outcome: 'refused',
    build: () =>
      Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(1000, 7)]),
  },
  { filename: 'empty.docx', outcome: 'refused', build: () => Buffer.alloc(0) },
]
