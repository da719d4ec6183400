// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 that anybody may mint, and that behaves badly when told so.
/// @dev For tests only.
contract HostileToken is ERC20("Hostile Token", "HOST") {
    enum Mood {
        Plain,
        TakingFee,
        AnsweringFalse,
        Refusing,
        Burning,
        Bombing,
        Calling,
        Silent,
        AnsweringLarge,
        AnsweringShort,
        RefusingTarget
    }

    uint256 private constant BOMB_BYTES = 100_000;

    Mood private _mood;
    address private _target;
    bytes private _callData;

    /// @notice What came of the call made during a transfer.
    bool public isCallSuccessful;
    bytes public answer;

    function setMood(Mood mood) external {
        _mood = mood;
    }

    function setCall(address target, bytes calldata callData) external {
        _target = target;
        _callData = callData;
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (_mood == Mood.RefusingTarget && to == _target) revert("HostileToken: refused");
        if (_misbehaves()) return false;
        super.transfer(to, _afterFee(amount));
        return _answer();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (_misbehaves()) return false;
        super.transferFrom(from, to, _afterFee(amount));
        return _answer();
    }

    function _misbehaves() private returns (bool) {
        if (_mood == Mood.Refusing) revert("HostileToken: refused");
        if (_mood == Mood.Burning) while (true) {}
        if (_mood == Mood.Bombing)
            assembly {
                revert(0, BOMB_BYTES)
            }
        if (_mood == Mood.Calling) (isCallSuccessful, answer) = _target.call(_callData);
        return _mood == Mood.AnsweringFalse;
    }

    function _afterFee(uint256 amount) private view returns (uint256) {
        return _mood == Mood.TakingFee ? amount - 1 : amount;
    }

    /// @dev A silent token returns nothing at all, as USDT does; others answer a number whose last byte is that of
    /// true, or true without its last byte.
    function _answer() private view returns (bool) {
        if (_mood == Mood.AnsweringLarge)
            assembly {
                mstore(0, 257)
                return(0, 32)
            }
        if (_mood == Mood.AnsweringShort)
            assembly {
                mstore(0, 1)
                return(0, 31)
            }
        if (_mood == Mood.Silent)
            assembly {
                return(0, 0)
            }
        return true;
    }
}
