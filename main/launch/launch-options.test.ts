import { expect, test } from 'vitest'
import { parseLaunchOptions } from './launch-options.ts'

const usual = {
  profile: null,
  secrets: 'keychain',
  serverEntry: null,
  updateFeed: null,
  dataDir: null,
  isHidden: false,
}

test('row 120: nothing before the double dash becomes an option, whatever the system hands over', () => {
  for (const text of [
    '--profile=/tmp/x',
    '--secrets=file',
    '--server-entry=/tmp/evil.js',
    '--inspect',
    '--gpu-launcher=calc',
    'chat-gateway://open?--profile=x',
  ]) {
    expect(parseLaunchOptions(['electron', '.', text])).toEqual(usual)
  }
})

test('options after the double dash are read, unknown ones ignored', () => {
  const argv = [
    'electron',
    '.',
    '--',
    '--profile=/tmp/second',
    '--secrets=file',
    '--inspect',
    'text',
    '--server-entry=server/index.ts',
    '--update-feed=feed.yml',
    '--data-dir=/tmp/data',
    '--hidden',
  ]
  expect(parseLaunchOptions(argv)).toEqual({
    profile: '/tmp/second',
    secrets: 'file',
    serverEntry: 'server/index.ts',
    updateFeed: 'feed.yml',
    dataDir: '/tmp/data',
    isHidden: true,
  })
})

test('an option without a value counts as not given', () => {
  expect(parseLaunchOptions(['electron', '--', '--secrets=', '--profile'])).toEqual(usual)
})
