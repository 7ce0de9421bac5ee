import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'

const PHONE = { width: 390, height: 780 }
const DAY = '2030-05-15'

test('events are made, repeated, moved to by keys, invited to and deleted, by month and by week', async ({
  page,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway({})
  await settleIn(page.context(), gateway, ADMIN)
  await addAccount(gateway, gateway.adminToken, 'user', 'Grace')
  await page.clock.setFixedTime(new Date(`${DAY}T08:10:00`))
  await page.goto(`${gateway.url}/workspace/calendar`)
  const month = page.getByRole('table', { name: 'May 2030' })
  await expect(month).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)

  await page.getByRole('button', { name: 'New event', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'New event' })
  await editor.getByLabel('Title').fill('Stand-up')
  await editor.getByLabel('Begins at').fill('09:00')
  await editor.getByLabel('Ends at').fill('08:00')
  await expect(editor.getByText('It ends before it begins.')).toBeVisible()
  await editor.getByLabel('Ends at').fill('09:15')
  await editor.getByLabel('Repeat').selectOption('Monday to Friday')
  await editor.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByRole('option', { name: /Grace/ }).click()
  await expect(editor.getByText('has not answered')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('editor.png') })
  await editor.getByRole('button', { name: 'Save' }).click()

  const today = month.getByRole('button', { name: 'Wednesday, May 15, 2030, 1 event' })
  await expect(today).toHaveAttribute('aria-current', 'date')
  await expect(month.getByRole('button', { name: /Stand-up/ })).toHaveCount(18)
  await today.focus()
  await page.keyboard.press('ArrowRight')
  await expect(month.getByRole('button', { name: /^Thursday, May 16, 2030/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('button', { name: /^Sunday, June 23, 2030, 0/ })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Friday, June 21, 2030' })).toBeFocused()
  const agenda = page.getByRole('region', { name: 'Friday, June 21, 2030' })
  await expect(agenda.getByRole('button', { name: /Stand-up/ })).toContainText('9:15')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('month.png'), fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: test.info().outputPath('month-dark.png'), fullPage: true })

  await page.getByLabel('View').selectOption('Week')
  await expect(page.getByRole('button', { name: /Stand-up/ })).toHaveCount(6)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('week.png'), fullPage: true })
  await page.setViewportSize(PHONE)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('phone-week.png'), fullPage: true })
  await page.getByLabel('View').selectOption('Month')
  await expect(page.getByRole('table', { name: 'June 2030' })).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('phone-month.png'), fullPage: true })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)

  await agenda.getByRole('button', { name: /Stand-up/ }).click()
  const change = page.getByRole('dialog', { name: 'Change “Stand-up”' })
  await expect(change.getByText('A change is made to all of its times.')).toBeVisible()
  await expect(change.getByText('Grace')).toBeVisible()
  await change.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Nothing on this day.')).toBeVisible()
})

test('a calendar is shared, and who is invited answers', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway({})
  await settleIn(page.context(), gateway, ADMIN)
  const grace = await addAccount(gateway, gateway.adminToken, 'user', 'Grace')
  await page.goto(`${gateway.url}/workspace/calendar`)
  const panel = page.getByRole('region', { name: 'Calendars' })
  await panel.getByRole('button', { name: 'New calendar' }).click()
  const editor = page.getByRole('dialog', { name: 'New calendar' })
  await editor.getByLabel('Name').fill('Team')
  await editor.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('button', { name: 'Actions for Team' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share “Team”' })
  await sharing.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('option', { name: /Grace/ }).click()
  await expectAccessible(page, BOTH_SCHEMES)
  await sharing.getByRole('button', { name: 'Save' }).click()
  await expect(sharing).toBeHidden()
  await page.getByRole('button', { name: 'New event', exact: true }).click()
  const event = page.getByRole('dialog', { name: 'New event' })
  await event.getByLabel('Title').fill('Dinner')
  await event.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByRole('option', { name: /Grace/ }).click()
  await event.getByRole('button', { name: 'Save' }).click()
  await expect(event).toBeHidden()

  const context = await browser.newContext()
  await settleIn(context, gateway, grace)
  const other = await context.newPage()
  await other.goto(`${gateway.url}/workspace/calendar`)
  await expect(other.getByRole('region', { name: 'Calendars' }).getByText('Team')).toBeVisible()
  await other
    .getByRole('listitem')
    .getByRole('button', { name: /Dinner/ })
    .click()
  const details = other.getByRole('dialog', { name: 'Dinner' })
  await expectAccessible(other, BOTH_SCHEMES)
  await other.screenshot({ path: test.info().outputPath('invitation.png') })
  await details.getByLabel('Your answer').selectOption('Perhaps')
  await expect(details).toBeHidden()
  await page.reload()
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /Dinner/ })
    .click()
  await expect(page.getByRole('dialog').getByText('may come')).toBeVisible()
  await context.close()
})
