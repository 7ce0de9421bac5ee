import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { announce } from './live-region.tsx'

const SHOWN_FOR = 2_000

/** Copies a text and says so in its own place. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  const handleClick = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      announce(t('common.copied'))
    })
  }
  return (
    <Button onClick={handleClick} icon={copied ? <Check className="size-4 text-accent" /> : <Copy className="size-4" />}>
      {copied ? t('common.copied') : (label ?? t('common.copy'))}
    </Button>
  )
}
