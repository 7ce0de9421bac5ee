import type { Page } from '@playwright/test'
import {
  type Automatic1111,
  startAutomatic1111,
} from '../../server/testing/picture-servers/automatic1111.ts'
import { type Comfy, startComfy } from '../../server/testing/picture-servers/comfyui.ts'
import { startGemini } from '../../server/testing/picture-servers/gemini.ts'
import {
  type OpenAiPictures,
  startOpenAiPictures,
} from '../../server/testing/picture-servers/openai-pictures.ts'
import type { PictureServer } from '../../server/testing/picture-servers/serve-pictures.ts'
import { drawNoisyPng, drawPng } from '../../server/testing/draw-png.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway, variablesFor, withAdmin } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { startGateway } from '../start-gateway.ts'
import { VIEWS } from '../views.ts'

/** A gateway with an image server, for all tests of this file. */
interface Studio {
  readonly gateway: TestGateway
  readonly painter: Automatic1111
  /** The server that edits pictures. */
  readonly retoucher: OpenAiPictures
  readonly comfy: Comfy
  readonly gemini: PictureServer
  readonly set: (values: Record<string, unknown>) => Promise<void>
}

const test = base.extend<object, { studio: Studio }>({
  studio: [
    async ({ upstream }, use) => {
      const painter = await startAutomatic1111()
      const retoucher = await startOpenAiPictures()
      const comfy = await startComfy()
      const gemini = await startGemini()
      const gateway = await withAdmin(await startGateway(variablesFor(upstream)))
      const set = async (values: Record<string, unknown>): Promise<void> => {
        const headers = {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${gateway.adminToken}`,
        }
        const reply = await fetch(`${gateway.url}/api/v1/settings`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ values }),
        })
        expect(reply.status).toBe(200)
      }
      await use({ gateway, painter, retoucher, comfy, gemini, set })
      await gateway.stop()
      await Promise.all([painter, retoucher, comfy, gemini].map((server) => server.close()))
    },
    { scope: 'worker' },
  ],
})

const PROMPT = 'A lighthouse at dusk'
/** Makes the scripted model request a picture. */
const CALL = `/call generate_image ${JSON.stringify({ prompt: PROMPT })}`
const AGAIN = 'Create again with another seed'

async function expectAccessibleEverywhere(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const { schemes, width } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, schemes)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

const ready = ({ painter, retoucher }: Studio) => ({
  ENABLE_IMAGE_GENERATION: true,
  ENABLE_IMAGE_EDIT: true,
  IMAGE_EDIT_ENGINE: 'openai',
  IMAGES_EDIT_OPENAI_API_BASE_URL: `${retoucher.url}/v1`,
  IMAGES_EDIT_OPENAI_API_KEY: 'sk-pictures',
  IMAGE_GENERATION_ENGINE: 'automatic1111',
  AUTOMATIC1111_BASE_URL: painter.url,
  AUTOMATIC1111_API_AUTH: 'user:secret',
})

test('an engine is set up and tested, and its pictures are made, looked at, varied, found and deleted', async ({
  page,
  studio,
}) => {
  const { gateway, painter } = studio
  painter.picture = drawPng(96, 64)
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/settings/pictures`)
  await page.getByRole('radio', { name: 'AUTOMATIC1111' }).check()
  await page.getByRole('textbox', { name: 'Address' }).first().fill(painter.url)
  await page.getByRole('textbox', { name: 'Name and password' }).fill('user:wrong')
  await expect(page.getByRole('button', { name: 'Test connection' })).toBeDisabled()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Incorrect username or password' }),
  ).toBeVisible()
  await page.getByRole('textbox', { name: 'Name and password' }).fill('user:secret')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('Connected.')).toBeVisible()
  await page.getByRole('switch', { name: 'Let people create images' }).click()
  await expect(page.getByText(new URL(painter.url).host)).toBeVisible()
  await page.getByRole('button', { name: 'Create a test image' }).click()
  await expect(page.getByText(/^It works: 96 × 64 pixels/)).toBeVisible()
  await page.getByRole('radio', { name: 'ComfyUI' }).first().check()
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Delete test image' }).click()
  await expect(page.getByText(/^It works/)).toHaveCount(0)

  await page.getByRole('link', { name: 'Back to chats' }).click()
  await page.getByRole('link', { name: 'Images', exact: true }).click()
  await expect(page.getByText('No images yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Size' }).selectOption('1024x1024')
  await page.getByRole('combobox', { name: 'Number' }).selectOption('2')
  const box = page.getByRole('textbox', { name: 'What should the image show?' })
  await box.fill(PROMPT)
  await box.press('Enter')
  const cards = page.getByRole('list', { name: 'Images' }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toContainText('Seed')
  const asked = painter.calls.findLast(({ path }) => path.endsWith('/txt2img'))!.json()
  expect(asked).toMatchObject({ prompt: PROMPT, batch_size: 2, width: 1024, height: 1024 })
  await expectAccessibleEverywhere(page)

  await cards
    .first()
    .getByRole('button', { name: `Enlarge: ${PROMPT}` })
    .click()
  const viewer = page.getByRole('dialog', { name: 'Image' })
  await expect(viewer.getByText('1 of 2')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByText('2 of 2')).toBeVisible()
  await expect(viewer.getByRole('img', { name: PROMPT })).toBeVisible()
  await expectAccessible(page)
  await viewer.getByRole('button', { name: AGAIN }).click()
  await expect(viewer.getByText('3 of 3')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cards.nth(1).getByRole('button', { name: `Enlarge: ${PROMPT}` })).toBeFocused()

  painter.fault = 'silent'
  await box.fill('Never finished')
  await box.press('Enter')
  await expect(page.getByText('Step 8 of 20')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Step 8 of 20')).toHaveCount(0)
  await expect.poll(() => painter.interrupted).toBeGreaterThan(0)
  painter.fault = 'refused'
  await box.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'safety system' })).toBeVisible()
  await expectAccessible(page)
  painter.fault = null

  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Size' })).toHaveValue('1024x1024')
  await expect(cards).toHaveCount(3)
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('castle')
  await expect(page.getByText('No images match.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('LIGHTHOUSE')
  await expect(cards).toHaveCount(3)
  const download = page.waitForEvent('download')
  await cards
    .first()
    .getByRole('button', { name: `Actions for: ${PROMPT}` })
    .click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.png$/)
  await cards
    .first()
    .getByRole('button', { name: `Actions for: ${PROMPT}` })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(cards).toHaveCount(2)
})

test('the gallery loads a large picture whole once, and its preview from then on', async ({
  page,
  studio,
}) => {
  const { gateway, painter, set } = studio
  await set({ ...ready(studio), IMAGE_GENERATION_ENGINE: 'automatic1111' })
  painter.picture = drawNoisyPng(1_500_000)
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/pictures`)
  const kept = page.waitForResponse(
    (reply) => reply.request().method() === 'PUT' && reply.url().endsWith('/preview'),
  )
  const box = page.getByRole('textbox', { name: 'What should the image show?' })
  await box.fill('A field of snow')
  await box.press('Enter')
  expect((await kept).status()).toBe(200)
  const read: string[] = []
  page.on('request', (request) => read.push(new URL(request.url()).pathname))
  await page.reload()
  const card = page.getByRole('listitem').filter({ hasText: 'A field of snow' })
  const shown = card.locator('img')
  const width = () => shown.evaluate((each: HTMLImageElement) => each.naturalWidth)
  await expect.poll(width).toBeGreaterThan(0)
  expect(await width()).toBeLessThanOrEqual(512)
  expect(read.filter((path) => path.endsWith('/preview')).length).toBeGreaterThan(0)
  const whole = (await shown.getAttribute('src'))!.split('/').at(-2)!
  expect(read.filter((path) => path.includes(`/files/${whole}/content`))).toEqual([])
  // The full-size picture is opened.
  await card.getByRole('button', { name: 'Enlarge: A field of snow' }).click()
  const large = page.getByRole('dialog', { name: 'Image' }).getByRole('img')
  await expect.poll(() => large.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(707)
})

test('a picture is made for a question, stands in the answer, and is varied and changed there', async ({
  page,
  studio,
}) => {
  const { gateway, painter, retoucher, set } = studio
  await set(ready(studio))
  painter.picture = drawPng(64, 64)
  painter.fault = 'silent'
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open('/?models=text')
  await page.getByRole('button', { name: 'Create images' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Create images' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('button', { name: /^Size, number and seed of images:/ }).press('Enter')
  const options = page.getByRole('dialog', { name: 'Size, number and seed of images' })
  await options.getByRole('combobox', { name: 'Size' }).selectOption('1024x1536')
  await options.getByRole('combobox', { name: 'Number' }).selectOption('2')
  await options.getByRole('textbox', { name: 'Seed' }).fill('4711')
  await page.keyboard.press('Escape')
  const opener = page.getByRole('button', {
    name: 'Size, number and seed of images: 1024 × 1536, 2, 4711',
  })
  // The chosen options need more space than the row has: the features collapse, and the focus stays
  // there.
  const extras = page.getByRole('button', { name: /^Extras/ })
  await expect(extras).toBeFocused()
  await extras.press('Enter')
  await opener.press('Enter')
  await expectAccessibleEverywhere(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await chat.send(CALL)
  const answer = chat.answers.last()
  await expect(answer.getByText('Step 8 of 20')).toBeVisible()
  await expectAccessible(page)
  await chat.stopButton.click()
  await expect(answer).toContainText('Stopped')
  await expect(answer.getByText(/stopped/i)).toHaveCount(1)
  await expect(answer.getByText('Step 8 of 20')).toHaveCount(0)

  painter.fault = null
  await chat.ask(CALL)
  const pictures = chat.answers.last().getByRole('list', { name: 'Images' }).getByRole('listitem')
  await expect(pictures).toHaveCount(2)
  const asked = painter.calls.findLast(({ path }) => path.endsWith('/txt2img'))!.json()
  expect(asked).toMatchObject({ batch_size: 2, width: 1024, height: 1536, seed: 4711 })
  await pictures.last().getByRole('button', { name: AGAIN }).click()
  await expect(pictures).toHaveCount(3)
  await pictures.last().getByRole('button', { name: 'Edit' }).press('Enter')
  const viewer = page.getByRole('dialog', { name: 'Image' })
  await viewer
    .getByRole('textbox', { name: 'What would you like to change?' })
    .fill('Make it winter')
  await page.keyboard.press('Enter')
  await expect(viewer.getByRole('img', { name: 'Make it winter' })).toBeVisible()
  await expect(viewer.getByText('4 of 4')).toBeVisible()
  await expectAccessibleEverywhere(page)
  expect(retoucher.calls.at(-1)!.body.toString('latin1')).toContain('Make it winter')
  await page.keyboard.press('Escape')
  // The account remembers the choice, also in a browser that has not stored it.
  await page.evaluate(() => localStorage.removeItem('pictures:choice'))
  await page.reload()
  await expect(pictures).toHaveCount(4)
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('create im')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'What should the image show?' })).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Size' })).toHaveValue('1024x1536')
  // An edited picture has no chat of its own; that of its source is opened.
  const card = page.getByRole('list', { name: 'Images' }).getByRole('listitem').first()
  await card.getByRole('button', { name: 'Actions for: Make it winter' }).click()
  await page.getByRole('menuitem', { name: 'Go to chat' }).click()
  await expect(page).toHaveURL(/\/c\//)
})

const WORKFLOW = {
  3: { class_type: 'KSampler', inputs: { seed: 1, steps: 20, positive: ['7', 0] } },
  5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  7: { class_type: 'CLIPTextEncode', inputs: { text: 'a boat', clip: ['4', 1] } },
}

test('Gemini, a chat model and ComfyUI are set up and tested on the same page, and create imure each', async ({
  page,
  studio,
}) => {
  const { gateway, retoucher, comfy, gemini, set } = studio
  await set({ ENABLE_IMAGE_GENERATION: true, IMAGE_SIZE: '512x512' })
  gemini.picture = drawPng(40, 30)
  retoucher.picture = drawPng(30, 40)
  comfy.picture = drawPng(50, 20)
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/settings/pictures`)
  const form = page.locator('form').filter({ hasText: 'AUTOMATIC1111' }).first()
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  const box = (name: string) => form.getByRole('textbox', { name, exact: true })
  const setUp = async (engine: string, address: string): Promise<void> => {
    await form.getByRole('radio', { name: engine }).check()
    await box('Address').fill(address)
  }
  const makeOne = async (pixels: string): Promise<void> => {
    if (await button('Save').isEnabled()) await button('Save').click()
    await expect(button('Save')).toBeDisabled()
    await button('Create a test image').click()
    await expect(form.getByText(`It works: ${pixels} pixels`)).toBeVisible()
  }

  await setUp('Gemini', `${gemini.url}/v1beta`)
  await box('API key').fill('another')
  await box('Model').fill('imagen-4.0-generate-001')
  await button('Save').click()
  await expect(button('Save')).toBeDisabled()
  await button('Create a test image').click()
  await expect(form.getByRole('alert').filter({ hasText: 'API key not valid' })).toBeVisible()
  await box('API key').fill('gemini-key')
  await makeOne('40 × 30')
  expect(gemini.calls.at(-1)!.path).toContain('imagen-4.0-generate-001:predict')

  await setUp('Chat model that returns images', `${retoucher.url}/v1`)
  await box('API key').fill('sk-pictures')
  await box('Model').fill('painter')
  await makeOne('30 × 40')
  expect(retoucher.calls.at(-1)).toMatchObject({ path: '/v1/chat/completions' })

  await setUp('ComfyUI', comfy.url)
  const file = {
    name: 'api.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(WORKFLOW)),
  }
  await form.getByTestId('workflow').setInputFiles(file)
  await expect(form.getByText('3 nodes.')).toBeVisible()
  await button('Save').click()
  await button('Test connection').click()
  await expect(form.getByText('Connected.')).toBeVisible()
  await makeOne('50 × 20')
  expect(comfy.calls.findLast(({ path }) => path === '/prompt')!.json()).toMatchObject({
    prompt: {
      7: { inputs: { text: 'A red apple on a wooden table' } },
      5: { inputs: { width: 512 } },
    },
  })
  await page.goto(`${gateway.url}/pictures`)
  const cards = page.getByRole('list', { name: 'Images' }).getByRole('listitem')
  for (const [index, pixels] of ['50 × 20', '30 × 40', '40 × 30'].entries())
    await expect(cards.nth(index)).toContainText(pixels)
})
