import { readFile } from 'node:fs/promises'
import PostalMime, { type Address } from 'postal-mime'
import { HtmlConverter } from '../markdown/html-to-markdown.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const LARGEST_MAIL = 40 * 1024 * 1024
const DEEPEST_MAIL = 30

function describeAddress(address: Address): string {
  if (address.group) return address.group.map(describeAddress).join(', ')
  return address.name ? `${address.name} <${address.address}>` : (address.address ?? '')
}

const describeAddresses = (addresses: readonly Address[] = []): string =>
  addresses.map(describeAddress).join(', ')

/** Reads sender and recipients, the text, and the names of attachments. */
export const readMail: Reader = async (file, { sink }) => {
  if (file.size > LARGEST_MAIL)
    throw new Refusal('Mails can be up to 40 MB. Save the attachments as files of their own.')
  const mail = await PostalMime.parse(await readFile(file.path), { maxNestingDepth: DEEPEST_MAIL })
  if (!mail.from && !mail.subject && !mail.date)
    throw new Refusal('The file is damaged: it cannot be read as a mail.')
  const writer = new MarkdownWriter(sink)
  writer.heading(1, mail.subject ?? '')
  const lines = [
    ['From', mail.from ? describeAddress(mail.from) : ''],
    ['To', describeAddresses(mail.to)],
    ['Cc', describeAddresses(mail.cc)],
    ['Date', mail.date ?? ''],
    [
      'Attachments',
      mail.attachments
        .map((attachment) => attachment.filename)
        .filter(Boolean)
        .join(', '),
    ],
  ]
  writer.paragraph(
    lines.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n'),
  )
  if (mail.text?.trim()) writer.paragraph(mail.text)
  else if (mail.html) {
    const converter = new HtmlConverter({ writer })
    converter.write(mail.html)
    converter.end()
  }
  return { format: 'markdown', title: mail.subject ?? null }
}
