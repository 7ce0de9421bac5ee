import { addStrings } from '../../lib/i18n.ts'
import artifacts from '../../locales/en/artifacts.json' with { type: 'json' }

// Whatever shows or opens artifacts brings their strings along.
addStrings('artifacts', artifacts)
