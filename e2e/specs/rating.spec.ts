import { expectAccessible } from '../find-faults.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { openAdminChat } from '../open-chat.ts'

interface Feedback {
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
}

async function readRatings(gateway: TestGateway): Promise<readonly Feedback[]> {
  const headers = { Authorization: `Bearer ${gateway.adminToken}` }
  const response = await fetch(`${gateway.url}/api/v1/evaluations/feedbacks/list`, { headers })
  return ((await response.json()) as { items: Feedback[] }).items
}

test('an answer is rated with a reason, the rating is changed and taken back, and administrators see it', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  const [good, bad] = [
    answer.getByRole('button', { name: 'Good answer' }),
    answer.getByRole('button', { name: 'Bad answer' }),
  ]
  await good.press('Enter')
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  const form = answer.getByRole('form', { name: 'What was good about it?' })
  await expect(form).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Well explained' }).click()
  await form.getByRole('textbox').fill('Short and clear.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  const data = {
    rating: 1,
    reason: 'thorough_explanation',
    comment: 'Short and clear.',
    model_id: 'text',
  }
  expect(await readRatings(gateway)).toMatchObject([{ data, meta: { arena: false } }])

  await page.goto(`${gateway.url}/workspace/arena`)
  const table = page.getByRole('table', { name: 'Models by points' })
  await expect(table.getByRole('row', { name: /^text/ })).toHaveText(/text1,000\D?10/)
  const listed = page.getByRole('list', { name: 'Recent ratings' }).getByRole('listitem')
  await expect(listed).toContainText('Well explained')
  await expect(listed).toContainText('Short and clear.')
  await expectAccessible(page)
  await page.goBack()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await bad.click()
  await expect(answer.getByRole('form', { name: 'What was wrong with it?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(answer.getByRole('form')).toHaveCount(0)
  await expect
    .poll(async () => (await readRatings(gateway)).map((rating) => rating.data['rating']))
    .toEqual([-1])
  await bad.click()
  await expect(bad).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(async () => readRatings(gateway)).toEqual([])
  await page.reload()
  await expect(bad).toHaveAttribute('aria-pressed', 'false')
})

test('where ratings are switched off there are no thumbs', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway({ ENABLE_MESSAGE_RATING: 'false' })
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  await expect(answer.getByRole('button', { name: 'Regenerate' })).toBeVisible()
  await expect(answer.getByRole('button', { name: 'Good answer' })).toHaveCount(0)
})
