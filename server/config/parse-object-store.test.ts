import { describe, expect, it } from 'vitest'
import { parseObjectStore } from './parse-object-store.ts'

const S3 = { STORAGE_PROVIDER: 's3', S3_BUCKET_NAME: 'uploads' }
const KEY = { S3_ACCESS_KEY_ID: 'somebody', S3_SECRET_ACCESS_KEY: 'hidden' }

describe('the object store', () => {
  it.each([undefined, '', 'local', ' Local '])('is none for STORAGE_PROVIDER=%j', (provider) => {
    expect(parseObjectStore({ ...KEY, STORAGE_PROVIDER: provider })).toBeNull()
  })

  it('needs nothing but the name of a bucket', () => {
    expect(parseObjectStore(S3)).toEqual({
      bucket: 'uploads',
      endpoint: null,
      region: 'us-east-1',
      credentials: null,
      keyPrefix: '',
      isPathStyle: false,
    })
  })

  it('takes every variable', () => {
    const all = {
      ...S3,
      ...KEY,
      S3_ENDPOINT_URL: 'https://store.example:9000',
      S3_REGION_NAME: 'eu-central-1',
      S3_KEY_PREFIX: '/one//two/',
      S3_ADDRESSING_STYLE: 'virtual',
    }
    expect(parseObjectStore(all)).toEqual({
      bucket: 'uploads',
      endpoint: 'https://store.example:9000/',
      region: 'eu-central-1',
      credentials: { accessKeyId: 'somebody', secretAccessKey: 'hidden' },
      keyPrefix: 'one/two/',
      isPathStyle: false,
    })
    const { S3_ADDRESSING_STYLE: _, ...usual } = all
    expect(parseObjectStore(usual)?.isPathStyle).toBe(true)
    expect(parseObjectStore({ ...S3, S3_ADDRESSING_STYLE: 'path' })?.isPathStyle).toBe(true)
  })

  it.each([
    [{ STORAGE_PROVIDER: 'gcs' }, 'STORAGE_PROVIDER="gcs"'],
    [{ STORAGE_PROVIDER: 's3' }, 'S3_BUCKET_NAME is missing'],
    [{ ...S3, S3_BUCKET_NAME: 'up/loads' }, 'S3_BUCKET_NAME="up/loads"'],
    [{ ...S3, S3_ENDPOINT_URL: 'ftp://store' }, 'S3_ENDPOINT_URL="ftp://store"'],
    [{ ...S3, S3_ENDPOINT_URL: 'store' }, 'S3_ENDPOINT_URL is not an address'],
    [{ ...S3, S3_ACCESS_KEY_ID: 'somebody' }, 'S3_SECRET_ACCESS_KEY is missing'],
    [{ ...S3, S3_SECRET_ACCESS_KEY: 'hidden' }, 'S3_ACCESS_KEY_ID is missing'],
    [{ ...S3, S3_KEY_PREFIX: '../x' }, 'S3_KEY_PREFIX="../x"'],
    [{ ...S3, S3_KEY_PREFIX: 'a b' }, 'S3_KEY_PREFIX="a b"'],
    [{ ...S3, S3_ADDRESSING_STYLE: 'both' }, 'S3_ADDRESSING_STYLE="both"'],
  ])('is not made of %j', (environment, sentence) => {
    expect(() => parseObjectStore(environment)).toThrow(sentence)
  })

  it.each(['https://somebody:hidden@store.example', 'ftp://somebody:hidden@store', 'x:hidden@y'])(
    'tells nobody what stands in the address %s',
    (S3_ENDPOINT_URL) => {
      expect(() => parseObjectStore({ ...S3, S3_ENDPOINT_URL })).toThrow(/^(?!.*hidden)/s)
    },
  )
})
