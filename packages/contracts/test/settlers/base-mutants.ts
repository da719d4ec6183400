import { mutantsOf } from '../solidity-mutants.ts'

const payments = mutantsOf('settlers/Payments.sol')
const permissions = mutantsOf('settlers/Permissions.sol')
const names = mutantsOf('factory/ChainName.sol')
const own = mutantsOf('factory/OwnAddress.sol')

/** Changes of what the settlers inherit. */
export const BASE_MUTANTS = [
  ...payments([
    ['any native value', 'if (msg.value != value) revert WrongValue(msg.value, value);', ''],
    ['tokens are not measured', '_requireReceived(token, to, before, amount);', ''],
    [
      'no lock while tokens are measured',
      'uint256 amount) private nonReentrant {',
      'uint256 amount) private {',
    ],
    [
      'any answer of a token counts',
      'isPaid := and(gt(returndatasize(), 31), eq(mload(0), 1))',
      'isPaid := 1',
    ],
    ['short answers count', 'and(gt(returndatasize(), 31), eq(mload(0), 1))', 'eq(mload(0), 1)'],
    ['the last byte of an answer counts', 'eq(mload(0), 1)', 'eq(byte(31, mload(0)), 1)'],
    ['any number but zero is true', 'eq(mload(0), 1)', 'gt(mload(0), 0)'],
    ['tokens without code pay', 'isPaid := gt(extcodesize(token), 0)', 'isPaid := 1'],
    ['failed payments count', 'if (!isPaid) revert PaymentRefused(token, to, amount);', ''],
    [
      'anybody names another payee',
      'if (to != payee && msg.sender != payee) revert NotPayee(msg.sender, payee);',
      '',
    ],
    ['the zero address is paid', 'to == address(0) || to == address(this)', 'to == address(this)'],
    ['the settler is paid', 'to == address(0) || to == address(this)', 'to == address(0)'],
    ['fees are paid twice', 'delete _fees[integrator][token];', ''],
    ['anybody takes fees', '_requirePayee(integrator, to);', ''],
  ]),
  ...permissions([
    [
      'no lock while a permission is used',
      'Pull memory pull) internal nonReentrant {',
      'Pull memory pull) internal {',
    ],
    ['native value by permission', 'if (pull.token == address(0)) revert NativeInput();', ''],
    ['permissions are believed', '_requireReceived(token, address(this), before, pull.amount);', ''],
    [
      'no order signature',
      'if (msg.sender != pull.owner) _requireSignature(pull.owner, pull.digest, signature);',
      '',
    ],
    [
      'an order signature of the depositor too',
      'if (msg.sender != pull.owner) _requireSignature',
      '_requireSignature',
    ],
    [
      'an authorization of any order',
      '                pull.orderId,\n                signature\n',
      '                pull.witness,\n                signature\n',
    ],
    [
      'a split authorization of any order',
      '            pull.orderId,\n            uint8',
      '            pull.witness,\n            uint8',
    ],
    [
      'a witness of any order',
      '            pull.witness,\n            _witnessType()',
      '            pull.digest,\n            _witnessType()',
    ],
    ['a used permit stops the order', '{} catch {}', '{} catch { revert NativeInput(); }'],
    [
      'a key does not sign for an account with code',
      'if (failure == ECDSA.RecoverError.NoError && recovered == signer) return;',
      'if (signer.code.length == 0 && recovered == signer) return;',
    ],
    ['short answers of wallets count', 'isValid := and(isValid, gt(returndatasize(), 31))', ''],
    [
      'any answer of a wallet counts',
      '!isValid || answer != bytes32(IContractWallet.isValidSignature.selector)',
      '!isValid',
    ],
    ['empty permissions', 'if (permission.length == 0) revert InvalidPermission(permission);', ''],
  ]),
  ...names([
    ['long names', 'length == 0 || length > MAXIMUM_CHAIN_NAME_LENGTH', 'length == 0 || length > 32'],
    ['names of any bytes', 'if (!isPrintable) revert InvalidChainName(name);', ''],
    ['A is no capital', 'ONES * 0x3f', 'ONES * 0x3e'],
    ['Z is no capital', 'ONES * 0x25', 'ONES * 0x26'],
  ]),
  ...own([
    ['addresses of any length', 'if (bytes(text).length != LENGTH) return false;', ''],
    ['addresses that start alike', ' && lowerCase(end) == _end', ''],
    ['addresses that end alike', 'lowerCase(start) == _start && ', ''],
    ['addresses in lower case alone', 'lowerCase(end) == _end', 'end == _end'],
  ]),
]
