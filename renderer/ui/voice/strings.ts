import voice from '../../locales/en/voice.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by modules that speak, listen or show texts about it.
addStrings('voice', voice)
