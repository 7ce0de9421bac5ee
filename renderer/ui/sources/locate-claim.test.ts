import { expect, it } from 'vitest'
import { firstClaim, lastClaim, locateClaim } from './locate-claim.ts'

const LEASE = [
  '# Lease of the bakery',
  'The rent is 1,450 a month. It is due on the third working day.',
  'Either side may end the lease with three months\nof notice to the end of a quarter. The oven stays.',
].join('\n\n')

const found = (texts: readonly string[], claim: string): string | null => {
  const place = locateClaim(texts, claim)
  return place && texts[place.text]!.slice(place.start, place.end)
}

it('finds the sentence that says what is claimed, not the whole text', () => {
  expect(found([LEASE], 'The notice period is three months')).toBe(
    'Either side may end the lease with three months\nof notice to the end of a quarter.',
  )
  expect(found([LEASE], 'You pay a rent of 1,450 every month')).toBe('The rent is 1,450 a month.')
  expect(found([LEASE], 'the oven stays')).toBe('The oven stays.')
})

it('finds it in the right one of several texts', () => {
  expect(locateClaim(['The pier is new.', LEASE], 'rent of 1,450 a month')).toMatchObject({
    text: 1,
  })
})

it('rows and items stand alone, and sentences without spaces are found', () => {
  expect(
    found(['| Item | Sum |\n|---|---|\n| Flour | 20 |\n| Yeast | 7 |'], 'Flour costs 20'),
  ).toBe('| Flour | 20 |')
  expect(found(['家賃は毎月です。解約の予告は三か月です。'], '解約には三か月の予告が必要')).toBe(
    '解約の予告は三か月です。',
  )
})

it('what is not there, or says nothing, is not found', () => {
  expect(locateClaim([LEASE], 'Quantum computers need cold rooms')).toBeNull()
  expect(locateClaim([`${LEASE} Whoever is ill says so.`], 'The document says so')).toBeNull()
  expect(locateClaim([LEASE], '')).toBeNull()
  expect(locateClaim([], 'the rent')).toBeNull()
  expect(locateClaim(['...'], 'the rent')).toBeNull()
})

it('a long text takes no time worth speaking of', () => {
  const long = `${LEASE}\n\n`.repeat(2000)
  const began = performance.now()
  expect(found([long], 'The rent is 1,450 a month')).toBe('The rent is 1,450 a month.')
  expect(found(['a'.repeat(300_000)], 'The rent is 1,450 a month')).toBeNull()
  expect(performance.now() - began).toBeLessThan(4000)
})

it('the claim of a number is the sentence before it, with more where that is too short', () => {
  expect(lastClaim('The rent is due monthly [1]. The notice is three months')).toBe(
    'The notice is three months',
  )
  expect(lastClaim('The rent is due monthly, says the lease. Yes')).toBe(
    'The rent is due monthly, says the lease. Yes',
  )
  expect(firstClaim('One line.\nThe oven stays here always [2, 3]. And [1].', 3)).toBe(
    'The oven stays here always',
  )
  expect(firstClaim('Nothing is named.', 1)).toBe('')
})
