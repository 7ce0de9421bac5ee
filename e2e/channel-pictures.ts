import type { Page } from '@playwright/test'
import { type Account, addAccount, signIn } from './accounts.ts'
import { ChannelPage } from './pages/channel-page.ts'
import type { RunningGateway } from './start-gateway.ts'

/** Takes one screenshot under a name. */
export type TakePicture = (name: string) => Promise<void>

interface Person {
  readonly id: string
  readonly token: string
}

async function send<Answer>(
  gateway: RunningGateway,
  { token }: { token: string },
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

async function enter(gateway: RunningGateway, { email, password }: Account): Promise<Person> {
  return send<Person>(gateway, { token: '' }, 'auths/signin', { email, password })
}

const CODE =
  '```ts\nexport const slots = bakes.flatMap(({ day, count }) => Array(count).fill(day))\n```'

/** Fills channels with the conversations of a team; returns the id of the main one. */
async function converse(gateway: RunningGateway, token: string, reader: Person): Promise<string> {
  const people: Person[] = []
  for (const name of ['Ada Lovelace', 'Robert Hooke', 'Maria Merian']) {
    people.push(await enter(gateway, await addAccount(gateway, token, 'user', name)))
  }
  const [ada, robert, maria] = people as [Person, Person, Person]
  const make = (person: Person, body: Record<string, unknown>) =>
    send<{ id: string }>(gateway, person, 'channels/create', body)
  const members = [reader.id, ada.id, robert.id, maria.id]
  const bakery = await make(reader, {
    type: 'group',
    name: 'bakery',
    description: 'Who bakes what, and when the oven is free',
    user_ids: members,
  })
  const garden = await make(ada, { type: 'group', name: 'garden', user_ids: members })
  await make(reader, { type: 'dm', user_ids: [maria.id] })
  const talk = await make(ada, { type: 'dm', user_ids: [reader.id] })
  const post = (
    person: Person,
    content: string,
    further: Record<string, unknown> = {},
    channel = bakery.id,
  ) =>
    send<{ id: string }>(gateway, person, `channels/${channel}/messages/post`, {
      content,
      ...further,
    })
  await post(ada, 'Good morning! The rye starter doubled overnight. 🎉')
  const plan = await post(
    ada,
    'Plan for Saturday:\n- **6:00** oven on\n- **7:30** first loaves\n- **9:00** rolls, if we have enough flour',
  )
  await post(robert, 'Flour comes on Friday at noon.')
  await post(robert, `I put the slots into the script:\n\n${CODE}`)
  await post(reader, 'Looks good to me', { reply_to_id: plan.id })
  const react = (person: Person, name: string) =>
    send(gateway, person, `channels/${bakery.id}/messages/${plan.id}/reactions/add`, { name })
  for (const person of [reader, robert, maria]) await react(person, '👍')
  await react(maria, '🥖')
  await send(gateway, ada, `channels/${bakery.id}/messages/${plan.id}/pin`, { is_pinned: true })
  await post(maria, 'Can we swap the rolls for a focaccia?', { parent_id: plan.id })
  await post(ada, 'Gladly. I have rosemary.', { parent_id: plan.id })
  const hook = await send<{ id: string; token: string }>(
    gateway,
    reader,
    `channels/${bakery.id}/webhooks/create`,
    { name: 'Oven' },
  )
  await send(gateway, { token: '' }, `channels/webhooks/${hook.id}/${hook.token}`, {
    content: 'Reached **240 °C** after 38 minutes.',
  })
  await send(gateway, reader, `channels/${bakery.id}/read`, {})
  await post(maria, `<@U:${reader.id}|you> could you bring the scales?`)
  await post(robert, 'And the big bowl, please')
  for (const text of ['The beans are up', 'Slugs too, sadly', 'Who has copper tape?'])
    await post(ada, text, {}, garden.id)
  await post(ada, 'Are you coming tonight?', {}, talk.id)
  return bakery.id
}

interface Place {
  readonly page: Page
  readonly gateway: RunningGateway
  /** Account of the reader; `token` is the administrator's. */
  readonly account: Account
  readonly token: string
}

/** Takes screenshots of channels with every kind of content. */
export async function takeChannelPictures(
  { page, gateway, account, token }: Place,
  take: TakePicture,
): Promise<void> {
  const reader = await enter(gateway, account)
  const id = await converse(gateway, token, reader)
  await signIn(page.context(), gateway, account)
  const channel = new ChannelPage(page, gateway.url)
  await channel.openId(id)
  await channel.message('big bowl').waitFor()
  const isNarrow = page.viewportSize()!.width < 500
  await take('channel')
  if (isNarrow) {
    await page.getByRole('button', { name: 'Show chat list' }).click()
    await channel.row('garden').waitFor()
    await take('channel-list')
    await page.keyboard.press('Escape')
  }
  const plan = channel.messages.filter({ has: page.getByRole('button', { name: /2 replies/ }) })
  await plan.getByRole('button', { name: /2 replies/ }).click()
  await channel.threadMessage('rosemary').waitFor()
  await take('channel-thread')
  await page.keyboard.press('Escape')
  await channel.message('big bowl').hover()
  await channel.message('big bowl').focus()
  await channel.message('big bowl').getByRole('button', { name: 'Add a reaction' }).click()
  await page.getByRole('option').first().waitFor()
  await take('channel-emoji')
  await page.keyboard.press('Escape')
  await channel.box.pressSequentially('@')
  await page.getByRole('option').first().waitFor()
  await take('channel-mention')
  await page.keyboard.press('Escape')
  await channel.box.fill('')
  await page.getByRole('button', { name: 'Pinned messages' }).click()
  await channel.pins.getByRole('listitem').first().waitFor()
  await take('channel-pins')
  await page.keyboard.press('Escape')
  for (const [entry, name] of [
    ['Members', 'members'],
    ['Channel settings', 'settings'],
    ['Webhooks', 'webhooks'],
  ] as const) {
    await channel.chooseOfChannel(entry)
    await channel.dialog
      .getByRole('listitem')
      .or(channel.dialog.getByRole('textbox'))
      .first()
      .waitFor()
    if (name === 'webhooks') {
      await channel.dialog.getByRole('textbox', { name: 'New webhook' }).fill('Mill')
      await channel.dialog.getByRole('button', { name: 'Create' }).click()
      await channel.dialog.locator('code').first().waitFor()
    }
    await page.waitForLoadState('networkidle')
    await take(`channel-${name}`)
    await page.keyboard.press('Escape')
  }
  if (isNarrow) await page.getByRole('button', { name: 'Show chat list' }).click()
  await page.getByRole('button', { name: 'New channel' }).click()
  await channel.dialog.getByText('Group', { exact: true }).waitFor()
  await take('channel-new')
  await page.keyboard.press('Escape')
}
