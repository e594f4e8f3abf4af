// @ts-check
// Pages without a picture: link closed, switched off, unknown, or only to be read.
import "../theme.js";
import "../language.js";
import "../zone.js";
import "./kept.js";
import "./stay.js";
