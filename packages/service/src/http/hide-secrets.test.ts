import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAsker } from '../../test/http-asker.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import { GOOD_REQUEST } from '../../test/table-use-cases.ts'
import { excerpt, hideSecrets } from './hide-secrets.ts'

const SECRETS = {
  'a Stellar seed': `SB${'Z2J7QWERTYUI'.repeat(4)}ABCDEF`,
  'an EVM private key': `0x${'0a1b2c3d'.repeat(8)}`,
  'an EVM private key without 0x': '0A1B2C3D'.repeat(8),
  'a Solana secret': `${'5J3mBbAH58CpQ3Y5RNJ'.repeat(4)}kfbyzWDb9kP`,
  'a recovery phrase': 'legal winner thank year wave sausage worth useful legal winner thank yellow',
} as const
const FORMS = Object.values(SECRETS)

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())
const { get, post } = createAsker(() => server.url)

/** That an answer and the log contain no part of a secret that could be of use. */
const assertKept = (secret: string, text: string, where: string): void => {
  for (let start = 0; start + 24 <= secret.length; start += 1)
    assert.ok(!text.includes(secret.slice(start, start + 24)), `${where} repeats ${secret}: ${text}`)
}

test('an error repeats nothing that looks like a private key, in any field', async () => {
  for (const secret of FORMS)
    for (const [field, value] of Object.entries(GOOD_REQUEST))
      for (const sent of [secret, ` ${secret} `, `${value}:${secret}`]) {
        const answer = await post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, [field]: sent }))
        if (answer.status !== 200) assertKept(secret, await answer.text(), field)
      }
})

test('names of fields, queries, paths and headers are not repeated either', async () => {
  for (const secret of FORMS) {
    const paths = [
      `/v1/rfq/status?quoteId=1&messageId=${secret}`,
      `/v1/rfq/status?quoteId=1&sourceChain=${secret}`,
      `/v1/rfq/status?quoteId=${secret} 1`,
      `/v1/rfq/tokens?chain=${secret}`,
      `/v1/rfq/status?quoteId=%zz-${secret}`,
      `/${secret}`,
    ]
    for (const path of paths) {
      const answer = await get(encodeURI(path).replaceAll('%25', '%'))
      if (answer.status !== 200) assertKept(secret, await answer.text(), path)
    }
    const options = { options: { [secret]: 1 } }
    const answer = await post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, ...options }))
    assertKept(secret, await answer.text(), 'the name of an option')
  }
  const logged = JSON.stringify(server.lines)
  for (const secret of FORMS) assertKept(secret, logged, 'the log')
})

test('a private key behind an escape, a second 0x or other separators is not repeated', async () => {
  const key = SECRETS['an EVM private key']
  const phrase = SECRETS['a recovery phrase']
  const prefixes = ['\n', '\t', '\b', '\\', '\\b', '\\\n', '\u001f', '"', '0x']
  const separators = ['\n', '\r\n', '-', ' - ', '\t', ', ', '+', '\\n']
  const written = [
    ...FORMS.flatMap((secret) => prefixes.map((prefix) => [secret, prefix + secret] as const)),
    ...separators.map((separator) => [phrase, `\n${phrase.replaceAll(' ', separator)}`] as const),
  ].filter(([secret, text]) => !text.startsWith('0x') || secret === key)
  for (const [, text] of written)
    for (const [field, value] of Object.entries(GOOD_REQUEST))
      for (const sent of [text, `${value} ${text}`]) {
        const answer = await post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, [field]: sent }))
        if (answer.status === 200) continue
        const body = await answer.text()
        JSON.parse(body)
        for (const part of ['0a1b2c3d0a1b', 'Z2J7QWERTYUI', '5J3mBbAH58Cp', 'wave', 'sausage'])
          assert.ok(!body.toLowerCase().includes(part.toLowerCase()), `${field} repeats ${text}: ${body}`)
      }
})

test('what is hidden behind any number of backslashes leaves the escape before it whole', () => {
  for (const first of ['b', 'f', 'n', 'u000a'])
    for (let count = 1; count <= 64; count += 1)
      for (const rest of [
        '0a1b2c3d'.repeat(8),
        '0a1b2c3d'.repeat(8).slice(1),
        SECRETS['a recovery phrase'],
      ]) {
        const text = JSON.stringify({ text: '@' }).replace('@', '\\'.repeat(count) + first + rest)
        JSON.parse(hideSecrets(text))
        if (count % 2 === 1 && rest.length !== 63) assert.ok(!hideSecrets(text).includes(rest), text)
      }
})

test('a hex key of any first digit is hidden behind any number of backslashes', () => {
  for (const digit of '0123456789abcdefABCDEF') {
    const key = `${digit}${'0a1b2c3d'.repeat(8).slice(1)}`
    for (let count = 2; count <= 64; count += 1) {
      if (count <= 16 && count % 2 === 1 && 'bf'.includes(digit)) continue
      assert.ok(
        !hideSecrets('\\'.repeat(count) + key).includes('1b2c3d'),
        `${count} backslashes before ${key}`,
      )
    }
  }
})

test('amounts and addresses are repeated', () => {
  const kept = [
    String(2n ** 256n - 1n),
    '1'.repeat(64),
    `0x${'ab'.repeat(20)}`,
    'So11111111111111111111111111111111111111112',
    `G${'A'.repeat(55)}`,
    'quote_01k804t0f76rafgdvnb35fv6fp',
  ]
  for (const text of kept) assert.equal(hideSecrets(text), text)
})

test('a private key is hidden before its text is cut, wherever the cut falls', async () => {
  for (const secret of FORMS) {
    for (let length = 0; length <= 140; length += 1) {
      const text = `${'-'.repeat(length)} ${secret}`
      for (const maximum of [64, 80, 128]) assertKept(secret, excerpt(text, maximum), 'an excerpt')
      assertKept(secret, excerpt('-'.repeat(384 + length) + secret.repeat(3), 128), 'a long excerpt')
    }
    const twice = await post('/v1/rfq/quote', `{"${secret}":1,"${secret}":2}`)
    assertKept(secret, await twice.text(), 'a name given twice')
    for (const [path, header] of [
      ['/v1/rfq/quote', `content-type: ${secret}`],
      ['/v1/rfq/quote', `content-type: application/json\r\ncontent-encoding: ${secret}`],
      ['/v1/rfq/quote', `expect: ${'-'.repeat(63)} ${secret}`],
      ['/v1/rfq/quote', `transfer-encoding: ${secret}`],
      [`/${'-'.repeat(64)}${secret.replaceAll(' ', '+')}`, 'x: y'],
    ] as const) {
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${header}\r\n`
      const length = header.startsWith('transfer') ? '' : 'content-length: 2\r\n'
      assertKept(secret, await sendRaw(server.port, `${head}${length}\r\n{}`), header)
    }
  }
})

test('a private key in hex is hidden behind and before letters', () => {
  const key = SECRETS['an EVM private key']
  for (const text of [`x${key}`, `abc${key}`, `key${key.slice(2)}`, `_${key}`, `${key}x`, `backend=x${key}`])
    assertKept(key.slice(2), hideSecrets(text), text)
})

test('a transaction hash with an index, and the hash of a failed transaction, are repeated', () => {
  const hash = SECRETS['an EVM private key']
  for (const messageId of [`${hash}-2`, `messageId is "${hash}-01"`])
    assert.equal(hideSecrets(messageId), messageId)
  const details = JSON.stringify({ details: { field: 'address', txHash: hash } })
  assert.equal(hideSecrets(details), details)
  assertKept(hash, hideSecrets(JSON.stringify({ message: details })), 'a quoted answer')
})
