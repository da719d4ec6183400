// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title A contract account whose key signs by ERC-1271, and which answers badly when told so.
/// @dev For tests only.
contract Wallet {
    enum Mood {
        Honest,
        Short,
        Refusing,
        Bombing
    }

    address private immutable _key;
    Mood private _mood;

    constructor(address key) {
        _key = key;
    }

    function setMood(Mood mood) external {
        _mood = mood;
    }

    function act(address target, bytes calldata callData) external payable {
        (bool success, bytes memory data) = target.call{value: msg.value}(callData);
        if (success) return;
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (_mood == Mood.Refusing) revert("Wallet: refused");
        if (_mood == Mood.Short)
            assembly {
                mstore(0, hex"1626ba7e")
                return(0, 4)
            }
        if (_mood == Mood.Bombing)
            assembly {
                mstore(0, hex"1626ba7e")
                return(0, 100000)
            }
        // A longer signature than a key's, so that tokens choose their form for contracts.
        if (signature.length != 66) return 0;
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        return ecrecover(digest, uint8(signature[64]), r, s) == _key ? this.isValidSignature.selector : bytes4(0);
    }
}
