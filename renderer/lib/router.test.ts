// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import {
  chatPath,
  currentRoute,
  lastChatPath,
  navigate,
  parseBeginning,
  parseRoute,
  toPath,
  type Route,
} from './router.ts'

test('every place has an address that leads back to it', () => {
  const places: Route[] = [
    { name: 'chat', chatId: null, message: null },
    { name: 'chat', chatId: 'a b/c', message: null },
    { name: 'chat', chatId: 'c1', message: 'm&1' },
    { name: 'settings', page: 'connections' },
    { name: 'workspace', area: 'models', item: null },
    { name: 'workspace', area: 'models', item: 'maker/model:8b?&' },
    { name: 'workspace', area: 'notes', item: '' },
    { name: 'archived' },
    { name: 'trash' },
    { name: 'starred' },
    { name: 'shared' },
    { name: 'share', shareId: 's/1' },
    { name: 'channel', channelId: 'a b/c', message: null, thread: null },
    { name: 'channel', channelId: 'c1', message: 'm&1', thread: 't=1' },
    { name: 'auth' },
  ]
  for (const place of places) {
    const [path = '', search] = toPath(place).split('?')
    expect(parseRoute(path, search)).toEqual(place)
  }
})

test('an unknown address is the new-chat page, an unknown settings page the first one', () => {
  expect(parseRoute('/nowhere/at/all')).toEqual({ name: 'chat', chatId: null, message: null })
  expect(parseRoute('/settings/nothing')).toEqual({ name: 'settings', page: 'account' })
  expect(parseRoute('/c/%E0%A4%A')).toEqual({ name: 'chat', chatId: '%E0%A4%A', message: null })
})

test('a settings page whose content moved opens its area of the workspace', () => {
  for (const page of ['own-tools', 'tool-servers'])
    expect(parseRoute(`/settings/${page}`)).toEqual({
      name: 'workspace',
      area: 'tools',
      item: null,
    })
})

test('going somewhere adds a step back, replacing does not, and the last chat is remembered', () => {
  const push = vi.spyOn(history, 'pushState')
  navigate(chatPath('c1'))
  expect(currentRoute()).toEqual({ name: 'chat', chatId: 'c1', message: null })
  navigate('/settings/about', { replace: true })
  expect(push).toHaveBeenCalledTimes(1)
  expect(currentRoute()).toEqual({ name: 'settings', page: 'about' })
  expect(lastChatPath()).toBe('/c/c1')
})

test('whoever has left in the meantime stays where they are', () => {
  navigate('/workspace/models?id=')
  navigate('/workspace/models')
  navigate('/workspace/models?id=new', { replace: true, from: '/workspace/models?id=' })
  expect(currentRoute()).toEqual({ name: 'workspace', area: 'models', item: null })
  navigate('/workspace/models?id=new', { replace: true, from: '/workspace/models' })
  expect(currentRoute()).toEqual({ name: 'workspace', area: 'models', item: 'new' })
})

test('the address of a new chat says what to ask, of which models and how', () => {
  const nothing = {
    modelIds: [],
    isTemporary: false,
    isWebSearched: false,
    makesPictures: false,
    toolIds: [],
    pages: [],
  }
  expect(parseBeginning('?q=Why%3F')).toEqual({ ...nothing, text: 'Why?', isSent: true })
  expect(parseBeginning('?q=Why&submit=false&models=a,%20b,')).toMatchObject({
    isSent: false,
    modelIds: ['a', 'b'],
  })
  expect(parseBeginning('?shared=Look&shared=https%3A%2F%2Fa.example')).toMatchObject({
    text: 'Look\nhttps://a.example',
    isSent: false,
  })
  const long = 'A long text. '.repeat(20_000)
  expect(parseBeginning(`?shared=${encodeURIComponent(long)}`)?.text).toBe(long)
  expect(parseBeginning('?shared=A%20text&model=a')).toMatchObject({
    text: 'A text',
    isSent: false,
    modelIds: ['a'],
  })
  expect(
    parseBeginning('?temporary-chat=true&web-search=true&image-generation=true&tools=x'),
  ).toMatchObject({
    isTemporary: true,
    isWebSearched: true,
    makesPictures: true,
  })
  expect(parseBeginning('?call=true&code-interpreter=true&q=')).toBeNull()
  expect(parseBeginning('?tools=x,%20y')).toMatchObject({ text: '', toolIds: ['x', 'y'] })
  expect(
    parseBeginning('?q=Sum%20up&load-url=https%3A%2F%2Fa.example%2F1&tool-ids=x'),
  ).toMatchObject({
    text: 'Sum up',
    isSent: false,
    toolIds: ['x'],
    pages: ['https://a.example/1'],
  })
  expect(parseBeginning('?youtube=a%26b')).toMatchObject({
    pages: ['https://www.youtube.com/watch?v=a%26b'],
  })
  expect(parseRoute('/', '?q=Why')).toMatchObject({
    name: 'chat',
    chatId: null,
    beginning: { text: 'Why' },
  })
  expect(parseRoute('/c/1', '?q=Why')).not.toHaveProperty('beginning')
})
