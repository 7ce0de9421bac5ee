import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameCertificates } from './certificates.ts'

test('the first file of certificates the system has is named, unless somebody named others', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'authorities.pem')
  const files = [path.join(folder, 'missing.pem'), file]
  expect(nameCertificates({}, files)).toEqual({})
  writeFileSync(file, '')
  expect(nameCertificates({ LANG: 'C.UTF-8' }, files)).toEqual({ SSL_CERT_FILE: file })
  expect(nameCertificates({ SSL_CERT_FILE: '/company.pem' }, files)).toEqual({})
  expect(nameCertificates({ SSL_CERT_DIR: '/company' }, files)).toEqual({})
})
