"""What a run knows that the API's description can't say: whose session to use where a session ends, and secrets.

src/fuzz.ts sets FUZZ_URL, FUZZ_ROLE (anonymous, free, pro, admin or auditor), FUZZ_PASSCODE, FUZZ_ANSWERS, the file that
receives how often each operation answered with which status, and FUZZ_PERSONAL, texts that no answer to the role may hold.
"""

import atexit
import base64
import collections
import hmac
import itertools
import json
import os
import time
import urllib.error
import urllib.request
import uuid

import schemathesis

URL = os.environ["FUZZ_URL"]
ROLE = os.environ["FUZZ_ROLE"]
PASSCODE = os.environ["FUZZ_PASSCODE"]
PERSONAL = [text.lower() for text in json.loads(os.environ["FUZZ_PERSONAL"])]
PASSWORD = "fuzz-fuzz-fuzz"

# Each may end the session that it is sent with, or asks for the password of an account of the run: they get a session of
# their own, and the run keeps its session.
ENDS_USER_SESSION = {
    "logIn",
    "signUp",
    "logOut",
    "logOutEverywhere",
    "changeEmail",
    "changePassword",
    "deleteAccount",
    "endSession",
    "confirmEmail",
    "resetPassword",
    "signInWithPasskey",
    "startPasskeyRegistration",
    "removePasskey",
}
ENDS_ADMIN_SESSION = {"adminLogIn", "adminLogOut", "adminSignIn", "acceptInvitation", "finishSingleSignOn", "adminSignInWithPasskey"}

answers = collections.defaultdict(collections.Counter)
turn = itertools.count()
spare = None
prices = None


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw["operationId"]
    if operation in ENDS_ADMIN_SESSION and ROLE == "admin":
        replace_cookie(case, "admin-sid", cookie_of("/api/admin/login", {"passcode": PASSCODE}))
    elif operation in ENDS_USER_SESSION and ROLE in ("free", "pro"):
        replace_cookie(case, "sid", spare_account()["cookie"])
        if operation == "endSession" and is_positive(case):
            case.path_parameters["id"] = sessions_of(spare_account())[0]["id"]
    elif operation == "markNotificationRead" and is_positive(case) and ROLE in ("free", "pro"):
        notifications = notifications_of(case)
        if notifications:
            case.path_parameters["id"] = notifications[0]["id"]
    if is_meant_well(case):
        know_secrets(operation, case.body)


@schemathesis.hook
def after_call(context, case, response):
    global spare
    operation = case.operation.definition.raw["operationId"]
    answers[operation][str(response.status_code)] += 1
    if operation in ENDS_USER_SESSION and response.status_code < 300:
        spare = None


@schemathesis.check
def personal_data_is_masked(context, response, case):
    """Whatever was asked, also in headers; what the request itself holds is no leak."""
    sent = f"{case.as_transport_kwargs()}".lower()
    text = f"{response.headers} {response.content.decode('utf-8', 'replace')}".lower()
    shown = [personal for personal in PERSONAL if personal in text and personal not in sent]
    assert not shown, f"Personal data is shown: {', '.join(shown)}"


@atexit.register
def tell_answers():
    with open(os.environ["FUZZ_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump(answers, file)


def is_meant_well(case):
    """Every other valid request: the others show what happens without the right value."""
    return is_positive(case) and isinstance(case.body, dict) and next(turn) % 2 == 0


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


def know_secrets(operation, body):
    if operation == "adminLogIn":
        body["passcode"] = PASSCODE
    elif operation == "logIn":
        account = spare_account()
        body.update(email=account["email"], password=PASSWORD)
    elif operation == "openInvitation":
        body["token"] = invitation()["token"]
    elif operation == "acceptInvitation":
        body.update(acceptance(invitation()["token"]))
    elif operation == "adminSignIn":
        invited = invitation()
        accepted = post("/api/admin/invitations/accept", acceptance(invited["token"]))
        body.update(email=invited["email"], password=PASSWORD, code=json.load(accepted)["recoveryCodes"][0])
    elif operation == "startPasskeyRegistration":
        body["proof"] = {"currentPassword": PASSWORD}
    elif operation == "createSubscription" and "priceId" in body:
        body["priceId"] = price_ids()[0]
    elif "currentPassword" in body:
        body["currentPassword"] = PASSWORD
        if operation == "changeEmail":
            body["email"] = new_email()


def replace_cookie(case, name, value):
    """Not where the run left it out, or wrote something else, to see it refused."""
    if case.operation.definition.raw["security"] == [] or name in (case.cookies or {}):
        case.cookies = {**(case.cookies or {}), name: value}


def spare_account():
    global spare
    if spare is None:
        email = new_email()
        account = {"email": email, "password": PASSWORD, "firstName": "Spare", "lastName": "Account"}
        spare = {"email": email, "cookie": cookie_of("/api/auth/signup", account)}
    return spare


def sessions_of(account):
    return answer_of("/api/auth/sessions", account["cookie"])


def notifications_of(case):
    """None where the run left the session out, or wrote something else, to see it refused."""
    try:
        return answer_of("/api/notifications", (case.cookies or {}).get("sid", ""))
    except urllib.error.HTTPError as error:
        if error.code != 401:
            raise
        return []


def answer_of(path, sid):
    request = urllib.request.Request(URL + path, headers={"Cookie": f"sid={sid}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def new_email():
    return f"{uuid.uuid4()}@fuzz.test"


def price_ids():
    global prices
    if prices is None:
        with urllib.request.urlopen(f"{URL}/api/pricing") as answer:
            prices = [price["id"] for price in json.load(answer)]
    return prices


def invitation():
    cookie = "admin-sid=" + cookie_of("/api/admin/login", {"passcode": PASSCODE})
    email = new_email()
    made = post("/api/admin/administrators", {"email": email, "role": "auditor"}, {"Cookie": cookie})
    return {"email": email, "token": json.load(made)["link"].split("#")[1]}


def acceptance(token):
    key = base64.b32decode(json.load(post("/api/admin/invitations/open", {"token": token}))["secret"])
    return {"token": token, "name": "Grace Hopper", "password": PASSWORD, "code": one_time_code(key)}


def one_time_code(key):
    digest = hmac.digest(key, int(time.time() // 30).to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def cookie_of(path, body):
    return post(path, body).headers["Set-Cookie"].split(";")[0].split("=", 1)[1]


def post(path, body, headers=None):
    headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", **(headers or {})}
    request = urllib.request.Request(URL + path, data=json.dumps(body).encode(), headers=headers)
    return urllib.request.urlopen(request)
