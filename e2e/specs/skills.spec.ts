import { readFileSync } from 'node:fs'
import { strToU8, unzipSync, zipSync } from 'fflate'
import type { Page } from '@playwright/test'
import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'

const FORM = {
  name: 'form.md',
  mimeType: 'text/markdown',
  buffer: Buffer.from('Date, place, why.'),
}
const PHONE = { width: 390, height: 844 }

/** Saves a screenshot of the page if the environment names a folder for them. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/skills-${name}.png` })
}

async function writeSkill(workspace: WorkspacePage, name: string, content: string): Promise<void> {
  await workspace.page.getByRole('button', { name: 'New skill' }).first().click()
  await workspace.dialog.getByLabel('Name', { exact: true }).fill(name)
  await workspace.dialog.getByLabel('When to use it').fill(`When somebody asks for ${name}.`)
  await workspace.dialog.getByLabel('Instructions').fill(content)
  const choosing = workspace.page.waitForEvent('filechooser')
  await workspace.dialog.getByRole('button', { name: 'Add a file' }).click()
  await (await choosing).setFiles(FORM)
  await expect(workspace.dialog.getByRole('listitem')).toContainText('form.md')
}

test('a skill is written with a file, given to a model, and read by it in a chat, which shows it', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('skills')
  await expect(page.getByText('No skills yet')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture(page, 'empty-light')
  await page.getByRole('button', { name: 'Start from an example' }).click()
  await expect(workspace.dialog.getByLabel('Name', { exact: true })).toHaveValue('Meeting minutes')
  await expect(workspace.dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
  await workspace.dialog.getByRole('button', { name: 'Cancel' }).click()
  await workspace.dialog.waitFor({ state: 'detached' })
  await writeSkill(workspace, 'Travel reports', 'Begin with the costs.')
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture(page, 'editor-light')
  await workspace.save()
  await workspace.dialog.waitFor({ state: 'detached' })
  await expect(workspace.row('Travel reports')).toContainText('travel-reports')
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture(page, 'list-light')
  await page.setViewportSize(PHONE)
  await keepPicture(page, 'list-390')
  await workspace.choose('Travel reports', 'Edit')
  await expect(workspace.dialog.getByRole('listitem')).toContainText('form.md')
  await expectAccessible(page)
  await keepPicture(page, 'editor-390')
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepPicture(page, 'editor-390-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })

  await workspace.open('models')
  await page.getByRole('button', { name: 'New model' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Reporter')
  await page.getByLabel('Base model').selectOption({ label: 'text · 127.0.0.1' })
  const skills = page.getByRole('group', { name: 'Skills' })
  await skills.getByRole('checkbox', { name: /Travel reports/ }).check()
  await skills.scrollIntoViewIfNeeded()
  await keepPicture(page, 'model-editor')
  await workspace.save()
  await expect(page).toHaveURL(/id=reporter$/)

  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.chooseModel('Reporter')
  const answer = await chat.ask('/call view_skill {"id": "travel-reports"}')
  await expect(answer).toContainText('Begin with the costs.')
  await expect(answer).toContainText('form.md')
  await expect(answer).toContainText('Read the skill "Travel reports".')
  await expectAccessible(page)
  await keepPicture(page, 'answer-light')
})

test('the folder of a skill leaves as a zip and comes back elsewhere; a harmful one is refused in words', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('skills')
  await writeSkill(workspace, 'Portable', 'Carry me.')
  await workspace.save()
  await workspace.dialog.waitFor({ state: 'detached' })
  const saving = page.waitForEvent('download')
  await workspace.choose('Portable', 'Download as a zip file')
  const download = await saving
  expect(download.suggestedFilename()).toBe('portable.zip')
  const archive = readFileSync(await download.path())
  expect(Object.keys(unzipSync(new Uint8Array(archive)))).toEqual([
    'portable/SKILL.md',
    'portable/form.md',
  ])
  await workspace.choose('Portable', 'Delete')
  await workspace.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No skills yet')).toBeVisible()

  const importZip = async (buffer: Buffer): Promise<void> => {
    await page.getByRole('button', { name: 'More' }).click()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Import from a zip file' }).click()
    await (await choosing).setFiles({ name: 'skill.zip', mimeType: 'application/zip', buffer })
  }
  await importZip(Buffer.from(zipSync({ 'SKILL.md': strToU8('none'), '../up': strToU8('x') })))
  await expect(page.getByText('leads out of the archive').first()).toBeVisible()
  await importZip(archive)
  await workspace.choose('Portable', 'Edit')
  await expect(workspace.dialog.getByLabel('Instructions')).toHaveValue('Carry me.')
  await expect(workspace.dialog.getByRole('listitem')).toContainText('form.md')
})

test('a change made from an old text is refused, and the person chooses which text stays', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('skills')
  await writeSkill(workspace, 'Shared', 'First.')
  await workspace.save()
  await workspace.dialog.waitFor({ state: 'detached' })
  await workspace.choose('Shared', 'Edit')
  const reply = await page.request.post(`${gateway.url}/api/v1/skills/id/shared/update`, {
    data: { content: 'Of another tab.' },
  })
  expect(reply.ok()).toBe(true)
  await workspace.dialog.getByLabel('Instructions').fill('Of this tab.')
  await workspace.save()
  const question = page.getByRole('dialog', { name: 'A newer version was saved elsewhere' })
  await expect(question).toContainText('Of another tab.')
  await expectAccessible(page)
  await keepPicture(page, 'conflict')
  await question.getByRole('button', { name: 'Back to my text' }).click()
  await expect(workspace.dialog.getByLabel('Instructions')).toHaveValue('Of this tab.')
  await workspace.save()
  await question.getByRole('button', { name: 'Discard mine' }).click()
  await workspace.choose('Shared', 'Edit')
  await expect(workspace.dialog.getByLabel('Instructions')).toHaveValue('Of another tab.')
  await workspace.dialog.getByLabel('Instructions').fill('Of both.')
  await workspace.save()
  await workspace.dialog.waitFor({ state: 'detached' })
})

test('a member without the permission reads what was shared, and can change nothing', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const member = await addAccount(gateway, gateway.adminToken, 'user')
  const create = (body: object) =>
    fetch(`${gateway.url}/api/v1/skills/create`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${gateway.adminToken}`,
      },
      body: JSON.stringify(body),
    })
  const access_grants = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
  await create({ id: 'open', name: 'Open to all', content: 'Read me.', access_grants })
  await create({ id: 'kept', name: 'Kept back', content: 'Secret.' })
  await settleIn(page.context(), gateway, member)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('skills')
  await expect(workspace.row('Open to all')).toContainText('by Ada Admin')
  await expect(workspace.row('Kept back')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New skill' })).toHaveCount(0)
  await workspace.choose('Open to all', 'View')
  await expect(workspace.dialog.getByLabel('Instructions')).toHaveAttribute('readonly', '')
  await expect(workspace.dialog.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expectAccessible(page)
})

test('skills are chosen for a chat beside its tools, read with each question, and the choice stays', async ({
  page,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway()
  await fetch(`${gateway.url}/api/v1/skills/create`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${gateway.adminToken}`,
    },
    body: JSON.stringify({ id: 'letters', name: 'Business letters', content: 'Be brief.' }),
  })
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await page.getByRole('button', { name: 'Tools: none chosen' }).click()
  const skills = page.getByRole('list', { name: 'Skills it reads first' })
  await skills.getByRole('switch', { name: 'Business letters' }).click()
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture(page, 'choice')
  await page.keyboard.press('Escape')
  const answer = await chat.ask('Write to them')
  await expect(answer).toContainText('Read the skill "Business letters".')
  await page.waitForURL(/\/c\//)
  await page.reload()
  await page.getByRole('button', { name: 'Tools: 1 chosen' }).click()
  await expect(skills.getByRole('switch', { name: 'Business letters' })).toBeChecked()
  await skills.getByRole('switch', { name: 'Business letters' }).click()
  await page.keyboard.press('Escape')
  const plain = await chat.ask('Write again')
  await expect(plain).not.toContainText('Read the skill')
})
