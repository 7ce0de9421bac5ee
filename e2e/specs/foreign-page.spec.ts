import type { Page } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test as base } from '../fixtures.ts'

/** A foreign page: another origin on this machine, opened in the browser that is signed in. */
const test = base.extend<{ foreignUrl: string }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  foreignUrl: async ({}, use) => {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end('<!doctype html><title>Somebody else</title><p>Hello')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    server.close()
  },
})

test('row 127: forms, no-cors requests, images and beacons of a foreign page change nothing', async ({
  chat,
  context,
  foreignUrl,
}) => {
  await chat.open()
  await chat.ask('/echo mine')
  const id = chat.path().slice('/c/'.length)
  const stateOf = async () => {
    const chats = await context.request.get(`${chat.url}/api/v1/chats/`)
    const settings = await context.request.get(`${chat.url}/api/v1/users/user/settings`)
    const keys = await context.request.get(`${chat.url}/api/v1/auths/api_keys`)
    return [await chats.text(), await settings.text(), await keys.text()]
  }
  const before = await stateOf()
  const foreign = await context.newPage()
  await foreign.goto(foreignUrl)
  await foreign.evaluate(
    async ({ url, chatId }) => {
      const body = JSON.stringify({ chat: { title: 'From a foreign page' } })
      const targets = [
        '/api/v1/chats/new',
        `/api/v1/chats/${chatId}`,
        '/api/v1/auths/signout',
        '/api/v1/auths/api_key',
        '/api/v1/users/user/settings/update',
      ]
      for (const target of targets) {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/json',
        ]) {
          const options: RequestInit = {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            body,
          }
          await fetch(url + target, { ...options, headers: { 'Content-Type': type } }).catch(
            (error: unknown) => error,
          )
        }
        navigator.sendBeacon(url + target, new Blob([body], { type: 'text/plain' }))
      }
      for (const target of ['/api/v1/auths/signout', `/api/v1/chats/${chatId}/pin`]) {
        await new Promise((resolve) => {
          const image = new Image()
          image.addEventListener('error', resolve)
          image.addEventListener('load', resolve)
          image.src = url + target
        })
      }
    },
    { url: chat.url, chatId: id },
  )
  await submitForm(foreign, `${chat.url}/api/v1/chats/new`)
  expect(await stateOf()).toEqual(before)
  await chat.ask('/echo still signed in')
})

/** Submits a form to the gateway as a click on a page would, in this window. */
async function submitForm(page: Page, action: string): Promise<void> {
  const answered = page.waitForResponse(action)
  await page.evaluate((target) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = target
    form.enctype = 'text/plain'
    const field = document.createElement('input')
    field.name = '{"chat":{"title":"From a form","x":"'
    field.value = '"}}'
    form.append(field)
    document.body.append(form)
    form.submit()
  }, action)
  expect((await answered).status()).toBeGreaterThanOrEqual(400)
}

test('row 128: a foreign page opens no socket, even where the cookie is sent along', async ({
  chat,
  context,
  foreignUrl,
}) => {
  await chat.open()
  const foreign = await context.newPage()
  await foreign.goto(foreignUrl)
  const result = await foreign.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url)
        socket.addEventListener('message', ({ data }: MessageEvent<string>) =>
          resolve(`message ${data}`),
        )
        socket.addEventListener('close', () => resolve('closed'))
      }),
    `${chat.url.replace('http', 'ws')}/ws`,
  )
  expect(result).toBe('closed')
})

test('a foreign page can neither read the gateway nor show it in a frame', async ({
  chat,
  context,
  foreignUrl,
}) => {
  await chat.open()
  const foreign = await context.newPage()
  await foreign.goto(foreignUrl)
  const read = await foreign.evaluate(
    (url) =>
      fetch(`${url}/api/models`, { credentials: 'include' }).then(
        (response) => response.text(),
        () => 'refused',
      ),
    chat.url,
  )
  expect(read).toBe('refused')
  await foreign.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  }, chat.url)
  await expect(
    foreign.frameLocator('iframe').getByRole('textbox', { name: 'Message' }),
  ).toHaveCount(0)
})
