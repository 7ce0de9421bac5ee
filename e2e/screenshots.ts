// Takes screenshots of every screen with the built product: npm run screenshots [folder]
// [light-1280,dark-390,languages]
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import { lastUserText, type Script, toPieces } from '../server/testing/fake-upstream/script.ts'
import { pluginEnvironment, pluginPython } from '../server/testing/plugin-python.ts'
import {
  type Account,
  addAccount,
  addConnection,
  createAdmin,
  settleIn,
  signIn,
} from './accounts.ts'
import { DIALOGUE, MODELS, OTHER_CHATS } from './dialogue.ts'
import { settled } from './find-faults.ts'
import { AttachmentsPage } from './pages/attachments-page.ts'
import { ChatPage } from './pages/chat-page.ts'
import { KnowledgePage } from './pages/knowledge-page.ts'
import { takePluginPictures } from './plugin-pictures.ts'
import { takeLanguagePictures } from './language-pictures.ts'
import { takeChannelPictures } from './channel-pictures.ts'
import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../renderer/lib/router.ts'
import { playDialogue } from './scripted-model.ts'
import { type RunningGateway, startGateway } from './start-gateway.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.resolve(process.argv[2] ?? path.join(root, 'out/screenshots'))
const README_PICTURE = path.join(root, 'resources/screenshots/conversation.png')

const VIEWS = [
  { name: 'light-1280', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'dark-1280', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'light-390', width: 390, height: 844, colorScheme: 'light' },
  { name: 'dark-390', width: 390, height: 844, colorScheme: 'dark' },
  { name: 'light-2560', width: 2560, height: 1440, colorScheme: 'light' },
] as const
type View = (typeof VIEWS)[number]

/** Name of the view with the main pages in other languages. */
const LANGUAGES = 'languages'
const only = process.argv[3]?.split(',')
const views = VIEWS.filter(({ name }) => !only || only.includes(name))

const fileIn =
  (view: View) =>
  (name: string): string =>
    path.join(folder, `${name}-${view.name}.png`)

const SUMS: Readonly<Record<string, { tool: string; given: Record<string, number> }>> = {
  'Please add 2 and 3': { tool: 'add', given: { a: 2, b: 3 } },
  'Please divide 2 by 0': { tool: 'divide', given: { a: 2, b: 0 } },
}

/** Questions that fail in different ways: name of the picture, text. */
const FAILING = [
  ['busy', '/busy 40'],
  ['key', '/error 401'],
  ['too-long', '/atmost 1'],
  ['broken-off', '/halves break end'],
] as const

const script: Script = (input) => {
  const text = lastUserText(input)
  const sum = SUMS[text]
  if (sum && input.messages.at(-1)?.role === 'tool')
    return { steps: toPieces(`The tool answered: ${String(input.messages.at(-1)?.content)}`) }
  if (sum) return { steps: [{ kind: 'tool', name: sum.tool, arguments: sum.given }] }
  const known = DIALOGUE.find(({ question }) => question === text)
  return known
    ? { steps: [...toPieces(known.answer), { kind: 'usage', prompt: 96, completion: 412 }] }
    : playDialogue(input)
}

async function openPage(browser: Browser, view: View, scale = 1): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.colorScheme,
    deviceScaleFactor: scale,
    hasTouch: view.width < 500,
  })
  return context.newPage()
}

async function takePicture(page: Page, file: string): Promise<void> {
  await settled(page)
  await page.screenshot({ path: file })
}

/** Fills a user's chat list and has the conversation. */
async function converse(
  page: Page,
  gateway: RunningGateway,
  dialogue = DIALOGUE,
): Promise<ChatPage> {
  for (const title of [...OTHER_CHATS].reverse()) {
    await page.request.post(`${gateway.url}/api/v1/chats/new`, { data: { chat: { title } } })
  }
  const pinned = await page.request.post(`${gateway.url}/api/v1/chats/new`, {
    data: { chat: { title: 'Weekly planning' } },
  })
  const { id } = (await pinned.json()) as { id: string }
  await page.request.post(`${gateway.url}/api/v1/chats/${id}/pin`)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  for (const { question } of dialogue) await chat.ask(question)
  const rename = { chat: { title: 'Sourdough for the weekend' } }
  await page.request.post(`${gateway.url}/api/v1/chats${chat.path().slice('/c'.length)}`, {
    data: rename,
  })
  await page.waitForFunction(() => document.title.startsWith('Sourdough for the weekend'))
  await page.mouse.move(0, 0)
  return chat
}

/**
 * Takes screenshots of the conversation, then of every state of the main screen that looks
 * different.
 */
async function takeChatPictures(page: Page, gateway: RunningGateway, view: View): Promise<void> {
  const file = fileIn(view)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await takePicture(page, file('new-chat'))
  await converse(page, gateway)
  await page.getByRole('figure', { name: 'Code, ts' }).locator('code span').nth(5).waitFor()
  await takePicture(page, file('conversation-end'))
  await chat.conversation.evaluate((view) => view.scrollTo(0, 0))
  if (view.height < 1000) await chat.latestButton.waitFor()
  await takePicture(page, file('conversation'))
  const answer = await chat.ask('/reasoning')
  await answer.getByRole('button', { name: 'Good answer' }).click()
  await answer.getByRole('form').waitFor()
  await takePicture(page, file('rating'))
  await page.keyboard.press('Escape')
  await chat.ask('/error 503')
  await takePicture(page, file('error'))
  for (const [name, question] of FAILING) {
    await chat.ask(question)
    if (name === 'key') await page.getByLabel('API key').waitFor()
    await takePicture(page, file(`failed-answer-${name}`))
  }
  await chat.send('/stall')
  await page.getByText(/^No new text for/).waitFor()
  await takePicture(page, file('answering'))
  await chat.stopButton.click()
  await chat.startEditing(chat.userMessages.last())
  await takePicture(page, file('edit'))
  await page.keyboard.press('Escape')
  await chat.modelButton.click()
  await page.getByRole('option').first().waitFor()
  await takePicture(page, file('models'))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  await takePicture(page, file('palette'))
  await page.keyboard.press('Escape')
  const drawer = page.getByRole('button', { name: 'Show chat list' })
  if (await drawer.isVisible()) {
    await drawer.click()
    await chat.chatList.waitFor()
    await takePicture(page, file('chat-list'))
  }
}

const FIXTURES = path.join(root, 'server/retrieval/extraction/fixtures')
const REPORT = {
  name: 'report.pdf',
  mimeType: 'application/pdf',
  content: readFileSync(path.join(FIXTURES, 'report.pdf')),
}

/** Takes screenshots of documents in the conversation: attached, cited, beside it and over it. */
async function takeDocumentPictures(
  page: Page,
  gateway: RunningGateway,
  file: (name: string) => string,
): Promise<void> {
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  const attachments = new AttachmentsPage(page)
  await attachments.attach(REPORT, {
    name: 'broken.pdf',
    mimeType: 'application/pdf',
    content: '%PDF-1.7 and nothing else',
  })
  await attachments.list.getByText('matching parts').waitFor()
  await attachments.chip('broken.pdf').getByText('damaged').waitFor()
  await takePicture(page, file('attachments'))
  // Searching takes longer than an expectation waits where the processor is busy.
  await chat.send('What does the second page tell about the new pier?')
  const answer = chat.answers.last()
  await attachments.citation(answer, 1).waitFor()
  await chat.stopButton.waitFor({ state: 'hidden' })
  await takePicture(page, file('sources'))
  await attachments.citation(answer, 1).click()
  await attachments.viewer.locator('mark').first().waitFor()
  await takePicture(page, file('source'))
  await attachments.viewer.getByRole('button', { name: 'Text', exact: true }).click()
  await attachments.viewer.locator('mark').waitFor()
  await takePicture(page, file('source-text'))
  await attachments.viewer.getByRole('button', { name: 'Close' }).click()
  await chat.userMessages
    .last()
    .getByRole('button', { name: /report\.pdf/ })
    .click()
  // Phones show the text of a PDF first.
  await attachments.dialog
    .locator('.pdf-page canvas')
    .or(attachments.dialog.getByText('Harbour report'))
    .first()
    .waitFor()
  await takePicture(page, file('document'))
  await page.keyboard.press('Escape')
}

async function takeSettingsPictures(
  page: Page,
  gateway: RunningGateway,
  file: (name: string) => string,
): Promise<void> {
  for (const name of SETTINGS_PAGES) {
    await page.goto(`${gateway.url}/settings/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The request log polls while it is open.
    if (name === 'requests') await page.getByRole('table').waitFor()
    else await page.waitForLoadState('networkidle')
    await takePicture(page, file(`settings-${name}`))
  }
  await page.goto(`${gateway.url}/settings/connections`)
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByRole('dialog').waitFor()
  await takePicture(page, file('settings-add-connection'))
}

/** Fills the pages other than the conversations. */
async function furnish(page: Page, gateway: RunningGateway): Promise<void> {
  const post = (path: string, data: unknown) =>
    page.request.post(`${gateway.url}/api/v1/${path}`, { data })
  const created = await post('folders/', { name: 'Garden' })
  const { id } = (await created.json()) as { id: string }
  await post('folders/', { name: 'Seeds', parent_id: id })
  await post('chats/new', { chat: { title: 'When to sow beans' }, folder_id: id })
  await post('prompts/create', {
    command: '/summary',
    name: 'Summary',
    content: 'Sum up {{text | textarea}} in {{language}}.',
    tags: ['writing'],
  })
  await post('notes/create', {
    title: 'Shopping for Saturday',
    data: { content: { md: '- flour\n- rye sourdough\n- salt' } },
  })
  await post('memories/add', { content: 'Bakes every weekend and owns a cast-iron pot.' })
  await post('groups/create', {
    name: 'Bakers',
    description: 'Everybody who brings bread',
    permissions: { features: { api_keys: true } },
  })
}

/** Takes screenshots of the pages of a collection with files in it. */
async function takeKnowledgePictures(
  page: Page,
  gateway: RunningGateway,
  file: (name: string) => string,
): Promise<void> {
  const knowledge = new KnowledgePage(page, gateway.url)
  await knowledge.create('Bread')
  await knowledge.add(
    {
      name: 'sourdough.md',
      mimeType: 'text/markdown',
      content: '# Sourdough\n\n## Feeding\n\nFeed the starter every evening with rye.',
    },
    { name: 'oven.txt', mimeType: 'text/plain', content: 'The oven needs forty minutes to heat.' },
    { name: 'old-scan.pdf', mimeType: 'application/pdf', content: '%PDF-1.7 and nothing else' },
  )
  await knowledge.row('oven.txt').waitFor()
  await knowledge.uploads.getByText('Failed').waitFor()
  await takePicture(page, file('knowledge-files'))
  await knowledge.ask('When is the starter fed?')
  await knowledge.passages.first().waitFor()
  await takePicture(page, file('knowledge-question'))
}

async function takePlacePictures(
  page: Page,
  gateway: RunningGateway,
  file: (name: string) => string,
): Promise<void> {
  await furnish(page, gateway)
  await takeKnowledgePictures(page, gateway, file)
  for (const name of [
    ...WORKSPACE_AREAS.map((area) => `workspace/${area}`),
    'archived',
    'trash',
    'starred',
    'shared',
  ]) {
    await page.goto(`${gateway.url}/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await takePicture(page, file(name.replace('/', '-')))
  }
  await page.goto(`${gateway.url}/?models=llama-3.3-70b,qwen3-32b`)
  const chat = new ChatPage(page, gateway.url)
  await chat.send('/reasoning')
  await page.waitForLoadState('networkidle')
  await takePicture(page, file('side-by-side'))
}

async function takeDoorPictures(
  page: Page,
  gateway: RunningGateway,
  account: Account,
  file: (name: string) => string,
): Promise<void> {
  await page.goto(gateway.url)
  await page.getByLabel('Email').waitFor()
  await page.getByLabel('Language').waitFor()
  await takePicture(page, file('sign-in'))
  await signIn(page.context(), gateway, account)
  await page.goto(gateway.url)
  const next = page.getByRole('button', { name: /^(Next|Not now)$/ })
  for (const step of [1, 2]) {
    await next.waitFor()
    await page.waitForLoadState('networkidle')
    await takePicture(page, file(`first-run-${step}`))
    await next.click()
  }
  await page.getByRole('button', { name: 'Start chatting' }).waitFor()
  await takePicture(page, file('first-run-3'))
}

const upstream = await startFakeCompatible({
  models: [...MODELS.keys()],
  modelFields: (id) => MODELS.get(id) ?? {},
  script,
})
const gateway = await startGateway({
  OPENAI_API_BASE_URLS: '',
  OPENAI_API_KEYS: '',
  ENABLE_API_KEYS: 'true',
  ENABLE_CHANNELS: 'true',
  ...(pluginPython !== null && pluginEnvironment),
})
const executablePath = process.env['CHROMIUM_PATH']
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
mkdirSync(folder, { recursive: true })
mkdirSync(path.dirname(README_PICTURE), { recursive: true })
try {
  const token = await createAdmin(gateway)
  await addConnection(gateway, token, { name: 'Home server', url: upstream.url, key: 'key' })
  const picture = await openPage(browser, VIEWS[0], 2)
  await settleIn(
    picture.context(),
    gateway,
    await addAccount(gateway, token, 'admin', 'Noor Lindqvist'),
  )
  const { composer } = await converse(picture, gateway, DIALOGUE.slice(0, 1))
  await picture.reload()
  await picture.getByRole('table').waitFor()
  await composer.blur()
  await takePicture(picture, README_PICTURE)
  for (const view of views) {
    const file = fileIn(view)
    const account = await addAccount(gateway, token, 'admin')
    const page = await openPage(browser, view)
    await takeDoorPictures(page, gateway, account, file)
    await settleIn(page.context(), gateway, account)
    await takeChatPictures(page, gateway, view)
    await takeDocumentPictures(page, gateway, file)
    await takePlacePictures(page, gateway, file)
    await takeChannelPictures({ page, gateway, account, token }, (name) =>
      takePicture(page, file(name)),
    )
    await takeSettingsPictures(page, gateway, file)
    if (pluginPython !== null)
      await takePluginPictures(page, gateway, (name) => takePicture(page, file(name)))
    await page.context().close()
    console.log(`${view.name} done`)
  }
  if (!only || only.includes(LANGUAGES)) {
    const account = await addAccount(gateway, token, 'admin')
    const page = await openPage(browser, VIEWS[0])
    await settleIn(page.context(), gateway, account)
    const chat = await converse(page, gateway)
    await furnish(page, gateway)
    const take = (at: Page, name: string) => takePicture(at, path.join(folder, `${name}.png`))
    await takeLanguagePictures({ browser, gateway, account, chatPath: chat.path(), take })
    await page.context().close()
  }
} finally {
  await browser.close()
  await gateway.stop()
  await upstream.close()
}
